package io.packing.sorted;

/**
 * How much memory and disk a store may use.
 *
 * @param engine which library stores the bytes
 * @param cacheBytes block cache
 * @param writeBufferBytes memory table; a larger one means fewer compactions
 * @param minFreeDiskBytes a write that would leave less free space is refused with {@link DiskFullException}
 */
public record SortedStoreConfig(Engine engine, long cacheBytes, int writeBufferBytes, long minFreeDiskBytes) {
    /** The storage engines. */
    public enum Engine {
        LEVELDB,
        ROCKSDB
    }

    private static final long MEGABYTE = 1 << 20;
    /** Tables of the youngest level at which LevelDB stops writers; they are merged with those of the next level. */
    private static final int LEVELDB_YOUNGEST_TABLES = 12;
    /** What LevelDB's next level holds, and once more while that is rewritten. */
    private static final long LEVELDB_NEXT_LEVEL_BYTES = 32 * MEGABYTE;

    public SortedStoreConfig {
        if (cacheBytes < 0 || writeBufferBytes < 64 << 10 || minFreeDiskBytes < 0) {
            throw new IllegalArgumentException("bad store sizes: cache %d, write buffer %d, free disk %d"
                    .formatted(cacheBytes, writeBufferBytes, minFreeDiskBytes));
        }
    }

    /**
     * What the engine may still write in the background after the last write that it took, at most: two memory tables, and
     * the output of one compaction. Less must never be free: LevelDB ends the JVM on a full disk, RocksDB the store.
     */
    public long backgroundBytes() {
        return switch (engine) {
            case LEVELDB -> (LEVELDB_YOUNGEST_TABLES + 2L) * writeBufferBytes + LEVELDB_NEXT_LEVEL_BYTES;
            case ROCKSDB -> 8L * writeBufferBytes;
        };
    }

    /** What a store wants kept free beside another that is at its work: a usual compaction. */
    long wantedBytes() {
        return 6L * writeBufferBytes;
    }
}
