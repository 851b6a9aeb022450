package io.packing.sorted;

import java.io.IOException;
import java.util.Optional;

/**
 * An ordered map from byte strings to byte strings on a local disk, with atomic batches and snapshots. Keys are ordered
 * as unsigned bytes. Memory is bounded by {@link SortedStoreConfig}, however many entries. Thread-safe.
 *
 * <p>A full disk is refused with {@link DiskFullException} before the engine can fail on it.
 */
public interface SortedStore extends AutoCloseable {
    Optional<byte[]> get(byte[] key) throws IOException;

    /** Applies a batch atomically. */
    void write(WriteBatch batch, Sync sync) throws IOException;

    /** Entries with {@code from <= key < to}, ascending, as of now; an empty {@code to} is the end. Close it. */
    Cursor scan(byte[] from, byte[] to) throws IOException;

    /** Bytes on disk, approximately. */
    long sizeOnDisk() throws IOException;

    /** A write is refused that would leave less free on the disk as it is now; whoever else writes there leaves more. */
    default long keptFreeBytes() {
        return 0;
    }

    @Override
    void close() throws IOException;

    /** Whether a write is on stable storage when it returns. */
    enum Sync {
        NONE,
        FSYNC
    }
}
