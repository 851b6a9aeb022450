package io.packing.sorted;

import java.io.IOException;

/**
 * An ordered map from byte strings to byte strings on a local disk, with atomic batches and snapshots. Keys are ordered
 * as unsigned bytes. Memory is bounded by {@link SortedStoreConfig}, however many entries. Thread-safe.
 *
 * <p>A batch that was synced survives a power loss. Of the others, each is there wholly or not at all, and a later one may
 * be there without an earlier one.
 *
 * <p>A full disk is refused with {@link DiskFullException} before the engine can fail on it.
 */
public interface SortedStore extends SortedView {
    /** Applies a batch atomically. */
    void write(WriteBatch batch, Sync sync) throws IOException;

    /**
     * The entries as of now: reads of them see no later batch. Close it soon: it keeps on disk what is removed meanwhile. Confined
     * to one thread.
     */
    SortedView view() throws IOException;

    /** Bytes on disk, approximately. */
    long sizeOnDisk() throws IOException;

    /** A write is refused that would leave less free on the disk as it is now; whoever else writes there leaves more. */
    default long keptFreeBytes() {
        return 0;
    }

    /** Whether a write is on stable storage when it returns. */
    enum Sync {
        NONE,
        FSYNC
    }
}
