// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AccessMode;
import io.packing.bdt.master.table.change.MapEdit;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FilePath;
import java.io.IOException;

/**
 * A file whose bytes the operations of a vector change one after the other. Its map is written once, with the last of them: a vector of a
 * hundred thousand ranges of one file would write it as often, whole each time. Confined to the writer thread.
 */
final class FileEdit {
    private final FilePath path;
    private final EntryLink at;
    private final MapEdit map;
    private int checked = AccessMode.WRITE;
    private long length;
    private boolean changed;

    /** @param path by which the caller may write to the file */
    FileEdit(FilePath path, EntryLink at, long length, MapEdit map) {
        this.path = path;
        this.at = at;
        this.length = length;
        this.map = map;
    }

    FilePath path() {
        return path;
    }

    EntryLink at() {
        return at;
    }

    long length() {
        return length;
    }

    boolean isChanged() {
        return changed;
    }

    /** Returns whether the caller was found to have these rights to the file. */
    boolean isChecked(int rights) {
        return (checked & rights) == rights;
    }

    void checked(int rights) {
        checked |= rights;
    }

    ReferenceMap slice(long offset, long bytes) throws IOException {
        return map.slice(offset, bytes);
    }

    void put(long offset, long bytes, ReferenceMap replacement) throws IOException {
        map.put(offset, bytes, replacement);
        changed = true;
    }

    void remove(long offset, long bytes) throws IOException {
        map.put(offset, bytes, ReferenceMap.EMPTY);
        changed = true;
    }

    void cut(long offset) throws IOException {
        map.cut(offset);
        changed = true;
    }

    void resize(long newLength) {
        length = newLength;
        changed = true;
    }

    /** Returns the change of the map, which {@link MapEdit#write} ends. */
    MapEdit map() {
        return map;
    }
}
