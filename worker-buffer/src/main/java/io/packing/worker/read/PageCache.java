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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

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
    private final ConcurrentMap<DecodedExtent, CompletableFuture<Optional<ByteBuffer>>> decoding =
            new ConcurrentHashMap<>();
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

    /** Whether all pages from one to another are in memory. */
    boolean hasPages(BlobName blob, long first, long last) {
        for (long number = first; number <= last; number++) {
            if (pages.getIfPresent(new BlobPage(blob, number)) == null) {
                return false;
            }
        }
        return true;
    }

    ReadAhead readAhead(BlobName blob) {
        return readAheads.get(blob, key -> new ReadAhead());
    }

    /** Puts an extent together, checks and decodes it. */
    interface Decode {
        ByteBuffer run() throws IOException;
    }

    /**
     * An extent, of which whoever reads it piece by piece has it checked once. Those who read it at the same time, as a kernel does that reads
     * ahead, wait for the first of them; when he fails, each tries it himself.
     */
    ByteBuffer decoded(DecodedExtent extent, Decode decode) throws IOException {
        ByteBuffer there = decoded.getIfPresent(extent);
        if (there != null) {
            return there.duplicate();
        }
        CompletableFuture<Optional<ByteBuffer>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<ByteBuffer>> others = decoding.putIfAbsent(extent, mine);
        if (others != null) {
            Optional<ByteBuffer> found = others.join();
            return found.isPresent() ? found.get().duplicate() : decode.run();
        }
        try {
            ByteBuffer bytes = decode.run();
            decoded.put(extent, bytes.duplicate());
            mine.complete(Optional.of(bytes.duplicate()));
            return bytes;
        } finally {
            // For those who wait, if it failed.
            boolean unused = mine.complete(Optional.empty());
            boolean unusedToo = decoding.remove(extent, mine);
        }
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

    /** Gives up what is here of a file: whoever reads it next fetches it. */
    public void forget(LocatedFile file) {
        FilePages.of(file.placement(), 0, file.status().attributes().length()).forEach(this::forget);
        long id = file.status().version().id();
        decoded.asMap().keySet().removeIf(each -> each.fileId() == id);
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
