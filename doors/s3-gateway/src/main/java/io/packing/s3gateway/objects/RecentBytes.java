// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.blob.FileVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The bytes of small objects that this gateway has just written or read, by version: those of a version never change. A caller asks the master
 * for the place of the object first, which refuses users without the right to read it. Blobs have a cache of pages; without this one
 * each read of an object that is still in a worker's buffer would go to that worker. Thread-safe.
 */
public final class RecentBytes {
    /** The largest object that is kept. */
    static final int MOST_OF_ONE = 64 << 10;
    /** The weight of an object without its bytes. */
    private static final int OVERHEAD = 128;

    private final long most;
    private final Map<FileVersion, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long used;

    /** @param most bytes of all objects */
    public RecentBytes(long most) {
        this.most = most;
    }

    /** Returns the bytes of a version, which the caller does not change; empty: they are not kept. */
    public synchronized Optional<byte[]> get(FileVersion version) {
        return Optional.ofNullable(kept.get(version));
    }

    /** Keeps the bytes of a version, which do not change any more, in the place of those that were used least recently. */
    public synchronized void put(FileVersion version, byte[] bytes) {
        if (bytes.length > MOST_OF_ONE || kept.putIfAbsent(version, bytes) != null) {
            return;
        }
        used += OVERHEAD + bytes.length;
        while (used > most) {
            FileVersion eldest = kept.keySet().iterator().next();
            byte[] gone = kept.remove(eldest);
            used -= OVERHEAD + (gone == null ? 0 : gone.length);
        }
    }
}
