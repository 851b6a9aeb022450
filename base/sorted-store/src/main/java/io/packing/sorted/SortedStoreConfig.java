package io.packing.sorted;

/**
 * How much memory and disk a store may use.
 *
 * @param engine which library stores the bytes
 * @param cacheBytes block cache
 * @param writeBufferBytes memory table; a larger one means fewer compactions
 * @param minFreeDiskBytes a write that would leave less free space, or less than {@link #backgroundBytes}, is refused with
 *     {@link DiskFullException}; 0: none is
 */
public record SortedStoreConfig(Engine engine, long cacheBytes, int writeBufferBytes, long minFreeDiskBytes) {
    /** The storage engines. */
    public enum Engine {
        LEVELDB,
        ROCKSDB
    }

    private static final long MEGABYTE = 1 << 20;
    /** Tables of the youngest level at which LevelDB stops writers; one compaction merges them with the next level. */
    private static final int LEVELDB_YOUNGEST_TABLES = 12;
    /** What the next level holds when it is its turn only after so full a youngest one: three times its 10 MB. */
    private static final long LEVELDB_NEXT_LEVEL_BYTES = 32 * MEGABYTE;
    /** Of RocksDB, which survives a full disk: four youngest tables, and the tables of the base level below them. */
    private static final int ROCKSDB_TABLES = 8;

    public SortedStoreConfig {
        if (cacheBytes < 0 || writeBufferBytes < 64 << 10 || minFreeDiskBytes < 0) {
            throw new IllegalArgumentException("bad store sizes: cache %d, write buffer %d, free disk %d"
                    .formatted(cacheBytes, writeBufferBytes, minFreeDiskBytes));
        }
    }

    /**
     * What the engine may write in the background at once after the last write that it took: the tables of both memory
     * tables, and the output of one compaction, before its input is deleted.
     */
    public long backgroundBytes() {
        return switch (engine) {
            case LEVELDB -> (LEVELDB_YOUNGEST_TABLES + 2L) * writeBufferBytes + LEVELDB_NEXT_LEVEL_BYTES;
            case ROCKSDB -> (long) ROCKSDB_TABLES * writeBufferBytes;
        };
    }

    /** A write that would leave less free is refused; 0: none is. */
    public long keptFreeBytes() {
        return minFreeDiskBytes == 0 ? 0 : Math.max(minFreeDiskBytes, backgroundBytes());
    }

    /** The part of what is kept free that nobody else can take: a file of this size. */
    long reserveBytes() {
        return minFreeDiskBytes == 0 || engine != Engine.LEVELDB ? 0 : (backgroundBytes() + 1) / 2;
    }
}
