// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.bdt.LocatedFile;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Decodings;
import io.packing.encryption.Keystore;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.disk.DiskTier;
import java.nio.ByteBuffer;

/**
 * The pages of a store's blobs that a process holds, in memory and, with a disk tier, on the disk. All mounts of the
 * store can share it. A page enters the cache with the start of its fetch; other readers wait for that fetch.
 * Thread-safe.
 */
public final class PageCache {
    private static final int BLOBS_FOLLOWED = 10_000;
    /** The part of the pages' memory that decoded extents may take in addition. */
    private static final int DECODED_SHARE = 8;

    private static final long MOST_DECODED = 32 << 20;
    /** The most pages with known checksums, some 60 bytes each; enough for 16 GiB of large files. */
    private static final long MOST_CHECKED = 64 << 10;

    private final long mostBytes;
    private final AsyncCache<BlobPage, ByteBuffer> pages;
    private final Cache<BlobName, BlobReadPosition> readAheads =
            Caffeine.newBuilder().maximumSize(BLOBS_FOLLOWED).build();
    private final SharedLoads<DecodedExtent, ByteBuffer> decoded;
    private final SharedLoads<BlobExtent, CheckedExtent> checked =
            new SharedLoads<>(MOST_CHECKED, (at, extent) -> extent.pages());
    private final Decodings decodings;
    private final Keystore keystore;
    private final DiskTier disk;

    /** The key of an extent that was read, checked and decoded for a content. */
    record DecodedExtent(long fileId, BlobExtent at) {}

    /** @param keystore of the readers; closed with the cache */
    PageCache(long memoryBytes, DiskTier disk, Keystore keystore) {
        this.mostBytes = memoryBytes;
        this.disk = disk;
        this.keystore = keystore;
        this.decodings = new Decodings(keystore);
        this.pages = Caffeine.newBuilder()
                .maximumWeight(memoryBytes)
                .weigher((BlobPage page, ByteBuffer bytes) -> bytes.capacity())
                .buildAsync();
        this.decoded = new SharedLoads<>(
                Math.min(MOST_DECODED, memoryBytes / DECODED_SHARE), (extent, bytes) -> bytes.capacity());
    }

    AsyncCache<BlobPage, ByteBuffer> pages() {
        return pages;
    }

    /** Returns whether all pages from one to another are in memory. */
    boolean hasPages(BlobName blob, long first, long last) {
        for (long number = first; number <= last; number++) {
            if (pages.getIfPresent(new BlobPage(blob, number)) == null) {
                return false;
            }
        }
        return true;
    }

    BlobReadPosition readAhead(BlobName blob) {
        return readAheads.get(blob, key -> new BlobReadPosition());
    }

    /** Returns the extents that were read, checked and decoded. */
    SharedLoads<DecodedExtent, ByteBuffer> decoded() {
        return decoded;
    }

    /** Returns the checked extents of several pages; their bytes are in {@link #pages}, or gone. */
    SharedLoads<BlobExtent, CheckedExtent> checked() {
        return checked;
    }

    Decodings decodings() {
        return decodings;
    }

    /** Closes the disk tier and the keystore. */
    void close() {
        disk.close();
        keystore.close();
    }

    DiskTier disk() {
        return disk;
    }

    /** Forgets a damaged page, so that no reader finds it again. */
    void forget(BlobPage page) {
        pages.synchronous().invalidate(page);
        disk.forget(page);
    }

    /** Forgets all bytes of a file, so that the next read fetches them. */
    public void forget(LocatedFile file) {
        FilePages.of(file.placement(), 0, file.status().attributes().length()).forEach(this::forget);
        long id = file.status().version().id();
        decoded.forget(each -> each.fileId() == id);
    }

    /** Returns the bytes of pages for which memory has room. */
    public long mostBytes() {
        return mostBytes;
    }

    /** Returns the bytes of the pages in memory. */
    public long memoryBytes() {
        pages.synchronous().cleanUp();
        return pages.synchronous().asMap().values().stream()
                .mapToLong(ByteBuffer::capacity)
                .sum();
    }

    /** Returns the bytes of the files on the disk. */
    public long diskBytes() {
        return disk.bytes();
    }
}
