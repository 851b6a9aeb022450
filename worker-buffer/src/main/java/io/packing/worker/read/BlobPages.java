package io.packing.worker.read;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.RangeSource;
import io.packing.blob.SoundRead;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded cache of blob bodies in pages. A miss fetches the page; misses that follow one another fetch twice as many
 * pages each time, with one request, up to the largest window. Concurrent misses of a page share one request.
 */
public final class BlobPages {
    private static final Logger LOG = LoggerFactory.getLogger(BlobPages.class);
    static final int PAGE_BYTES = 256 << 10;
    private static final int BLOBS_FOLLOWED = 10_000;

    private record Page(BlobName blob, long number) {}

    /** How far a blob was read, and how much the last miss fetched. Guarded by itself. */
    private static final class ReadAhead {
        private long next = -1;
        private int pages = 1;

        synchronized int pages(long missed, int most) {
            boolean sequential = next >= 0 && missed >= next && missed <= next + pages;
            boolean filling = next >= 0 && missed < next && missed >= next - 2L * pages;
            if (sequential) {
                pages = Math.min(most, 2 * pages);
            } else if (!filling) {
                pages = 1;
            }
            next = Math.max(filling ? next : 0, missed + pages);
            return pages;
        }
    }

    private final ObjectStore store;
    private final String prefix;
    private final int mostPages;
    private final Listener listener;
    private final AsyncCache<Page, ByteBuffer> pages;
    private final Cache<BlobName, ReadAhead> readAheads =
            Caffeine.newBuilder().maximumSize(BLOBS_FOLLOWED).build();

    /** Hears of each page that is read. */
    public interface Listener {
        /**
         * A page was asked for.
         *
         * @param cached whether it was there, or at least on its way
         */
        default void page(boolean cached) {}

        /** Bytes were damaged, and are fetched again past the cache. */
        default void damaged() {}
    }

    public BlobPages(ObjectStore store, String prefix, long cacheBytes, int windowMaxBytes, Listener listener) {
        this.store = store;
        this.listener = listener;
        this.prefix = prefix;
        this.mostPages = Math.max(1, windowMaxBytes / PAGE_BYTES);
        this.pages = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .weigher((Page page, ByteBuffer bytes) -> bytes.capacity())
                .buildAsync();
    }

    /**
     * The checked and decoded bytes of an extent. What is damaged leaves the cache and is fetched again past every cache.
     *
     * @throws CorruptBlobException when the store gave damaged bytes each time; the next read asks it again
     */
    public ByteBuffer read(BlobExtent at) throws IOException {
        Extent extent = at.extent();
        return SoundRead.of(
                new CachedBlob(at.blob()),
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(at.blob().toString(), extent, stored));
    }

    /** A blob's body as this cache has it; reads again from the store. */
    private final class CachedBlob implements RangeSource {
        private final BlobName blob;

        CachedBlob(BlobName blob) {
            this.blob = blob;
        }

        @Override
        public String name() {
            return blob.toString();
        }

        @Override
        public long length() {
            return blob.footerOffset();
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            long first = offset / PAGE_BYTES;
            long last = (offset + length - 1) / PAGE_BYTES;
            if (first == last) {
                return part(page(blob, first, 1), first, offset, length);
            }
            ByteBuffer stored = ByteBuffer.allocate(length);
            for (long number = first; number <= last; number++) {
                stored.put(part(page(blob, number, last - number + 1), number, offset, length));
            }
            return stored.flip();
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            listener.damaged();
            LOG.warn("{}: the bytes at {}+{} were damaged on the way, fetching them again", blob, offset, length);
            forget(blob, offset, length);
            try {
                return store.getAgain(prefix + blob.key(), offset, length);
            } catch (ObjectNotFoundException e) {
                throw gone(blob, e);
            }
        }
    }

    /** Of a page the bytes in a range of the blob. */
    private static ByteBuffer part(ByteBuffer page, long number, long offset, int length) {
        int start = (int) Math.max(0, offset - number * PAGE_BYTES);
        int end = (int) Math.min(page.limit(), offset + length - number * PAGE_BYTES);
        return page.slice(start, end - start);
    }

    /** Whoever reads a page that was damaged must not meet it again; sound neighbours are fetched again with it. */
    private void forget(BlobName blob, long offset, int length) {
        for (long number = offset / PAGE_BYTES; number <= (offset + length - 1) / PAGE_BYTES; number++) {
            pages.synchronous().invalidate(new Page(blob, number));
        }
    }

    private ByteBuffer page(BlobName blob, long number, long wanted) throws IOException {
        CompletableFuture<ByteBuffer> future = pages.getIfPresent(new Page(blob, number));
        if (future == null) {
            CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
            future = pages.asMap().putIfAbsent(new Page(blob, number), mine);
            if (future == null) {
                listener.page(false);
                fetch(blob, number, wanted, mine);
                return joined(blob, mine);
            }
        }
        listener.page(true);
        return joined(blob, future);
    }

    private static ByteBuffer joined(BlobName blob, CompletableFuture<ByteBuffer> future) throws IOException {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ObjectNotFoundException cause) {
                throw gone(blob, cause);
            }
            if (e.getCause() instanceof CorruptBlobException cause) {
                throw new CorruptBlobException(String.valueOf(cause.getMessage()), cause);
            }
            throw new IOException("cannot read %s: %s".formatted(blob, e.getCause()), e.getCause());
        }
    }

    private static ObjectNotFoundException gone(BlobName blob, ObjectNotFoundException cause) {
        return new ObjectNotFoundException("blob %s is gone".formatted(blob), cause);
    }

    /** Fetches a run of pages that nobody else fetches, with one request, and completes them. */
    private void fetch(BlobName blob, long number, long wanted, CompletableFuture<ByteBuffer> first) {
        List<CompletableFuture<ByteBuffer>> run = new ArrayList<>(List.of(first));
        ReadAhead readAhead = readAheads.get(blob, key -> new ReadAhead());
        long end = (blob.footerOffset() + PAGE_BYTES - 1) / PAGE_BYTES;
        long count = Math.min(end - number, Math.max(wanted, readAhead.pages(number, mostPages)));
        for (long next = number + 1; next < number + count; next++) {
            CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
            if (pages.asMap().putIfAbsent(new Page(blob, next), mine) != null) {
                break;
            }
            run.add(mine);
        }
        long offset = number * PAGE_BYTES;
        int length = (int) Math.min((long) run.size() * PAGE_BYTES, blob.footerOffset() - offset);
        try {
            ByteBuffer bytes = store.get(prefix + blob.key(), offset, length);
            if (bytes.remaining() != length) {
                throw new CorruptBlobException(
                        "%s: %d bytes at %d+%d".formatted(blob, bytes.remaining(), offset, length));
            }
            for (int i = 0; i < run.size(); i++) {
                int start = i * PAGE_BYTES;
                // Copied, so that a page that stays does not keep its whole window in memory.
                ByteBuffer page = ByteBuffer.allocate(Math.min(PAGE_BYTES, length - start));
                page.put(bytes.slice(bytes.position() + start, page.capacity())).flip();
                run.get(i).complete(page);
            }
        } catch (Throwable e) {
            // An error as well: others wait for these pages.
            run.forEach(future -> future.completeExceptionally(e));
        }
    }
}
