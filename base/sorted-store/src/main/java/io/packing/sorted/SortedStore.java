// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;

/**
 * An ordered map from byte strings to byte strings on a local disk, with atomic batches and snapshots. Keys are ordered
 * as unsigned bytes. {@link SortedStoreOptions} bounds its memory, for any number of entries. Thread-safe.
 *
 * <p>A synced batch survives a power loss. Of the others, each survives wholly or not at all, and a later one may
 * survive without an earlier one.
 *
 * <p>A full disk fails with {@link DiskFullException} before the engine can fail on it.
 */
public interface SortedStore extends SortedView {
    /** Applies a batch atomically. */
    void write(WriteBatch batch, Sync sync) throws IOException;

    /**
     * Returns a view of the present entries, which shows no later batch. Close it soon: it keeps removed entries on the
     * disk. Confined to one thread.
     */
    SortedView view() throws IOException;

    /** Returns the bytes on disk, approximately. */
    long sizeOnDisk() throws IOException;

    /**
     * Returns the bytes that must stay free on the disk after a write; other writers to this disk should leave more.
     */
    default long keptFreeBytes() {
        return 0;
    }

    /** The durability of a write when it returns. */
    enum Sync {
        NONE,
        FSYNC
    }
}
