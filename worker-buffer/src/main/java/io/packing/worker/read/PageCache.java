package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.blob.BlobExtent;
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
    /** Of the memory for pages, what decoded extents may take besides. */
    private static final int DECODED_SHARE = 8;

    private static final long MOST_DECODED = 32 << 20;

    private final AsyncCache<BlobPage, ByteBuffer> pages;
    private final Cache<BlobName, ReadAhead> readAheads =
            Caffeine.newBuilder().maximumSize(BLOBS_FOLLOWED).build();
    private final Cache<DecodedExtent, ByteBuffer> decoded;
    private final Decodings decodings;
    private final Keystore keystore;
    private final DiskTier disk;

    /** An extent that was put together, checked and decoded for a content. */
    record DecodedExtent(long fileId, BlobExtent at) {}

    /** @param keystore of those who read; closed with the cache */
    PageCache(long memoryBytes, DiskTier disk, Keystore keystore) {
        this.disk = disk;
        this.keystore = keystore;
        this.decodings = new Decodings(keystore);
        this.pages = Caffeine.newBuilder()
                .maximumWeight(memoryBytes)
                .weigher((BlobPage page, ByteBuffer bytes) -> bytes.capacity())
                .buildAsync();
        this.decoded = Caffeine.newBuilder()
                .maximumWeight(Math.min(MOST_DECODED, memoryBytes / DECODED_SHARE))
                .weigher((DecodedExtent extent, ByteBuffer bytes) -> bytes.capacity())
                .build();
    }

    AsyncCache<BlobPage, ByteBuffer> pages() {
        return pages;
    }

    ReadAhead readAhead(BlobName blob) {
        return readAheads.get(blob, key -> new ReadAhead());
    }

    /** Large extents that were read lately: whoever reads one piece by piece has it checked once. */
    Cache<DecodedExtent, ByteBuffer> decoded() {
        return decoded;
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
