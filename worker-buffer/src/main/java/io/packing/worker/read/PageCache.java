package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.blob.BlobName;
import io.packing.blob.Decodings;
import io.packing.encryption.Keystore;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.disk.DiskTier;
import java.nio.ByteBuffer;

/**
 * The pages of a store's blobs that a process holds: in memory, and on the disk where there is a tier. All mounts of the store
 * can share it. A page is there as soon as somebody fetches it; others wait for that one. Thread-safe.
 */
public final class PageCache {
    private static final int BLOBS_FOLLOWED = 10_000;

    private final AsyncCache<BlobPage, ByteBuffer> pages;
    private final Cache<BlobName, ReadAhead> readAheads =
            Caffeine.newBuilder().maximumSize(BLOBS_FOLLOWED).build();
    private final Decodings decodings;
    private final Keystore keystore;
    private final DiskTier disk;

    /** @param keystore of those who read; closed with the cache */
    PageCache(long memoryBytes, DiskTier disk, Keystore keystore) {
        this.disk = disk;
        this.keystore = keystore;
        this.decodings = new Decodings(keystore);
        this.pages = Caffeine.newBuilder()
                .maximumWeight(memoryBytes)
                .weigher((BlobPage page, ByteBuffer bytes) -> bytes.capacity())
                .buildAsync();
    }

    AsyncCache<BlobPage, ByteBuffer> pages() {
        return pages;
    }

    ReadAhead readAhead(BlobName blob) {
        return readAheads.get(blob, key -> new ReadAhead());
    }

    Decodings decodings() {
        return decodings;
    }

    /** Gives up the disk and the keystore. */
    void close() {
        disk.close();
        keystore.close();
    }

    DiskTier disk() {
        return disk;
    }

    /** A page is damaged, and nobody must find it again. */
    void forget(BlobPage page) {
        pages.synchronous().invalidate(page);
        disk.forget(page);
    }

    /** Bytes of the pages in memory. */
    public long memoryBytes() {
        pages.synchronous().cleanUp();
        return pages.synchronous().asMap().values().stream()
                .mapToLong(ByteBuffer::capacity)
                .sum();
    }

    /** Bytes of the files on the disk. */
    public long diskBytes() {
        return disk.bytes();
    }
}
