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

    public SortedStoreConfig {
        if (cacheBytes < 0 || writeBufferBytes < 64 << 10 || minFreeDiskBytes < 0) {
            throw new IllegalArgumentException("bad store sizes: cache %d, write buffer %d, free disk %d"
                    .formatted(cacheBytes, writeBufferBytes, minFreeDiskBytes));
        }
    }
}
