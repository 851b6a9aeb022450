// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

/**
 * The limits of a store's memory and disk.
 *
 * @param engine library that stores the bytes
 * @param cacheBytes block cache
 * @param writeBufferBytes memory table; a larger one means fewer compactions
 * @param minFreeDiskBytes free space below which, or below {@link #backgroundBytes}, a write fails with {@link
 *     DiskFullException}; 0 refuses none
 */
public record SortedStoreOptions(Engine engine, long cacheBytes, int writeBufferBytes, long minFreeDiskBytes) {
    /** The storage engines. */
    public enum Engine {
        LEVELDB,
        ROCKSDB
    }

    private static final long MEGABYTE = 1 << 20;
    /**
     * The tables of the youngest level at which LevelDB stops writers; one compaction merges them with the next level.
     */
    private static final int LEVELDB_YOUNGEST_TABLES = 12;
    /** The bytes of the next level when its turn comes only after so full a youngest one: three times its 10 MB. */
    private static final long LEVELDB_NEXT_LEVEL_BYTES = 32 * MEGABYTE;
    /**
     * The tables of RocksDB, which survives a full disk: four youngest ones, and those of the base level below them.
     */
    private static final int ROCKSDB_TABLES = 8;

    public SortedStoreOptions {
        if (cacheBytes < 0 || writeBufferBytes < 64 << 10 || minFreeDiskBytes < 0) {
            throw new IllegalArgumentException("bad store sizes: cache %d, write buffer %d, free disk %d"
                    .formatted(cacheBytes, writeBufferBytes, minFreeDiskBytes));
        }
    }

    /**
     * Returns the bytes that the engine may write in the background at once after its last accepted write. These are
     * the tables of both memory tables, and the output of one compaction, before its input is deleted.
     */
    public long backgroundBytes() {
        return switch (engine) {
            case LEVELDB -> (LEVELDB_YOUNGEST_TABLES + 2L) * writeBufferBytes + LEVELDB_NEXT_LEVEL_BYTES;
            case ROCKSDB -> (long) ROCKSDB_TABLES * writeBufferBytes;
        };
    }

    /** Returns the free space below which a write is refused; 0 refuses none. */
    public long keptFreeBytes() {
        return minFreeDiskBytes == 0 ? 0 : Math.max(minFreeDiskBytes, backgroundBytes());
    }

    /** Returns the part of the kept space that a reserve file keeps from other processes. */
    long reserveBytes() {
        return minFreeDiskBytes == 0 || engine != Engine.LEVELDB ? 0 : (backgroundBytes() + 1) / 2;
    }
}
