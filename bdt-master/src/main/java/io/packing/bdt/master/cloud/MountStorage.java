// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.Table;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import java.nio.file.Path;

/**
 * The storage of a mount.
 *
 * @param mount its name
 * @param places of its blobs, backups and journals
 * @param scratch a folder for temporary files on this disk
 * @param keys by which objects are encrypted
 * @param spans of what is done with it in the background
 */
public record MountStorage(String mount, Table table, MountPlaces places, Path scratch, MountKeys keys, Spans spans) {
    /** Makes the storage of a mount without spans. */
    public MountStorage(String mount, Table table, ObjectStore objects, Path scratch, MountKeys keys) {
        this(mount, table, MountPlaces.one(objects), scratch, keys, Spans.NONE);
    }

    /** One that is not encrypted. */
    public MountStorage(String mount, Table table, ObjectStore objects, Path scratch) {
        this(mount, table, objects, scratch, MountKeys.none());
    }

    /** Returns the store with the mount's objects. */
    public ObjectStore objects() {
        return places.objects();
    }
}
