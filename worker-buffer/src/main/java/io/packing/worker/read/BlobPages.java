package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Decoding;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.RangeSource;
import io.packing.blob.SoundRead;
import io.packing.buffers.Slices;
import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.worker.disk.BlobPage;
import io.packing.worker.disk.DiskPages;
import io.packing.worker.disk.DiskTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bodies of a store's blobs in pages, from a cache that other mounts may share. A miss fetches the page; misses that follow
 * one another fetch twice as many pages each time, with one request, up to the largest window. Concurrent misses of a page share
 * one request, whoever reads.
 */
public final class BlobPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlobPages.class);
    /** How often a reader waits for others' fetches of a page, which may fail for reasons of theirs. */
    private static final int WAITS = 3;
    /** What is at least so large, and will not be read again, is worth a request of its own. */
    private static final int MANY_PAGES = 4;

    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final int mostPages;
    private final PageListener listener;
    private final Runnable released;
    private final BlobRuns runs;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What of the fetched bytes the cache keeps, where that is free to choose. */
    public enum Keeping {
        /** All pages, for the next one who reads them. */
        PAGES,
        /** Nothing: large extents come straight from the store, unless they are in the cache or belong on the disk. */
        NOTHING
    }

    /** Pages with a cache in memory of their own. */
    public BlobPages(ObjectStore store, String prefix, long cacheBytes, int windowMaxBytes, PageListener listener) {
        this(
                new PageCache(cacheBytes, DiskTier.NONE, Keystore.NONE),
                store,
                prefix,
                windowMaxBytes,
                listener,
                () -> {});
    }

    /** @param released told once that this view is closed */
    BlobPages(
            PageCache cache,
            ObjectStore store,
            String prefix,
            int windowMaxBytes,
            PageListener listener,
            Runnable released) {
        this.cache = cache;
        this.store = store;
        this.listener = listener;
        this.prefix = prefix;
        this.mostPages = Math.max(1, windowMaxBytes / BlobPage.BYTES);
        this.released = released;
        this.runs = new BlobRuns(cache, store, prefix, listener);
    }

    /** What is cached, for all who share it. */
    public PageCache cache() {
        return cache;
    }

    /** The same blobs for whoever wants many extents at once. */
    BlobRuns runs() {
        return runs;
    }

    /** Gives the cache up; reads that are under way end as they would. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            released.run();
        }
    }

    /**
     * The checked and decoded bytes of an extent. What is damaged leaves the cache and is fetched again past every cache.
     *
     * @param fileId of the content that the extent is of
     * @throws CorruptBlobException when the store gave damaged bytes each time; the next read asks it again
     * @throws KeyUnavailableException when the blob is encrypted by a key that is not here
     */
    public ByteBuffer read(long fileId, BlobExtent at) throws IOException {
        if (at.extent().codec() == Codec.NONE && at.extent().length() <= BlobPage.BYTES) {
            return decode(fileId, at);
        }
        return cache.decoded(new PageCache.DecodedExtent(fileId, at), () -> decode(fileId, at));
    }

    private ByteBuffer decode(long fileId, BlobExtent at) throws IOException {
        Extent extent = at.extent();
        CachedBlob blob = new CachedBlob(at.blob());
        Decoding with = cache.decodings().of(at.blob(), fileId, extent, blob);
        return SoundRead.of(
                blob,
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(at.blob().toString(), extent, stored, with));
    }

    /**
     * The same, straight to where somebody wants the bytes: an extent of several pages is put together there and nowhere else.
     *
     * @return false when the buffer has no room for the whole extent, or its bytes are not what is stored; nothing is read then
     */
    boolean read(BlobExtent at, ByteBuffer into, Keeping keeping) throws IOException {
        Extent extent = at.extent();
        if (extent.codec() != Codec.NONE || into.remaining() < extent.length()) {
            return false;
        }
        ByteBuffer room = Slices.of(into, into.position(), extent.length());
        ByteBuffer bytes = SoundRead.of(
                new CachedBlob(at.blob(), Optional.of(room), keeping),
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(at.blob().toString(), extent, stored));
        if (room.position() == extent.length()) {
            into.position(into.position() + extent.length());
        } else {
            into.put(bytes);
        }
        return true;
    }

    /** A page as it is stored, of which no extent is checked; empty: the blob is gone. */
    public Optional<ByteBuffer> page(BlobPage page) throws IOException {
        try {
            return Optional.of(await(ask(page, 1)).duplicate());
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Lets readers of a page wait for bytes that the caller brings; empty: the page is there or on its way already. */
    public Optional<ExpectedPage> expect(BlobPage page) {
        CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
        if (page.length() == 0
                || cache.disk().contains(page)
                || cache.pages().asMap().putIfAbsent(page, mine) != null) {
            return Optional.empty();
        }
        return Optional.of(new ExpectedPage(page, mine, bytes -> keep(page, bytes)));
    }

    private void keep(BlobPage page, ByteBuffer bytes) {
        if (!cache.disk().offer(page, bytes)) {
            listener.diskDropped();
        }
    }

    /** A blob's body as this cache has it; reads again from the store. */
    private final class CachedBlob implements RangeSource {
        private final BlobName blob;
        /** Its position says whether the bytes that were read last are there. */
        private final Optional<ByteBuffer> room;

        private final Keeping keeping;

        CachedBlob(BlobName blob) {
            this(blob, Optional.empty(), Keeping.PAGES);
        }

        CachedBlob(BlobName blob, Optional<ByteBuffer> room, Keeping keeping) {
            this.blob = blob;
            this.room = room;
            this.keeping = keeping;
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
            long first = offset / BlobPage.BYTES;
            long last = (offset + length - 1) / BlobPage.BYTES;
            if (first == last) {
                return part(await(ask(new BlobPage(blob, first), 1)), first, offset, length);
            }
            if (room.isPresent() && isPassing(room.get(), first, last)) {
                return around(room.get(), first, last, offset, length);
            }
            List<Asked> pages = new ArrayList<>();
            for (long number = first; number <= last; number++) {
                pages.add(ask(new BlobPage(blob, number), last - number + 1));
            }
            ByteBuffer stored = room.orElseGet(() -> ByteBuffer.allocate(length));
            for (Asked page : pages) {
                stored.put(part(await(page), page.page().number(), offset, length));
            }
            return stored.duplicate().flip();
        }

        /** Whether the bytes pass the cache by. */
        private boolean isPassing(ByteBuffer room, long first, long last) {
            if (keeping == Keeping.PAGES
                    || last - first < MANY_PAGES
                    || cache.disk().isOn()
                    || !room.hasArray()) {
                return false;
            }
            return !cache.hasPages(blob, first, last);
        }

        private ByteBuffer around(ByteBuffer room, long first, long last, long offset, int length) throws IOException {
            for (long number = first; number <= last; number++) {
                listener.page(false);
            }
            int got;
            try {
                got = store.get(prefix + blob.key(), offset, List.of(room));
            } catch (ObjectNotFoundException e) {
                throw FailedFetch.gone(blob, e);
            }
            if (got != length) {
                throw new CorruptBlobException("%s: %d bytes at %d+%d".formatted(blob, got, offset, length));
            }
            return room.duplicate().flip();
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            room.ifPresent(ByteBuffer::clear);
            listener.damaged();
            LOG.warn("{}: the bytes at {}+{} were damaged on the way, fetching them again", blob, offset, length);
            forget(blob, offset, length);
            try {
                return store.getAgain(prefix + blob.key(), offset, length);
            } catch (ObjectNotFoundException e) {
                throw FailedFetch.gone(blob, e);
            }
        }
    }

    /** Of a page the bytes in a range of the blob. */
    private static ByteBuffer part(ByteBuffer page, long number, long offset, int length) {
        int start = (int) Math.max(0, offset - number * BlobPage.BYTES);
        int end = (int) Math.min(page.limit(), offset + length - number * BlobPage.BYTES);
        return Slices.of(page, start, end - start);
    }

    /** Whoever reads a page that was damaged must not meet it again; sound neighbours are fetched again with it. */
    private void forget(BlobName blob, long offset, int length) {
        for (long number = offset / BlobPage.BYTES; number <= (offset + length - 1) / BlobPage.BYTES; number++) {
            cache.forget(new BlobPage(blob, number));
        }
    }

    /**
     * A page that somebody asked for.
     *
     * @param wanted pages that he wants from this one on
     * @param isMine whether he fetched it himself
     */
    private record Asked(BlobPage page, long wanted, CompletableFuture<ByteBuffer> bytes, boolean isMine) {}

    /** Fetches a page that nobody has or fetches. Does not wait for others: while they fetch theirs, the next ones can be fetched. */
    private Asked ask(BlobPage page, long wanted) throws IOException {
        CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
        CompletableFuture<ByteBuffer> there = cache.pages().getIfPresent(page);
        if (there == null) {
            there = cache.pages().asMap().putIfAbsent(page, mine);
        }
        listener.page(there != null);
        if (there != null) {
            return new Asked(page, wanted, there, false);
        }
        load(page, wanted, mine);
        Asked asked = new Asked(page, wanted, mine, true);
        if (mine.isCompletedExceptionally()) {
            // The others would fail as well, each after all its attempts.
            ByteBuffer unused = await(asked);
        }
        return asked;
    }

    private ByteBuffer await(Asked first) throws IOException {
        Asked asked = first;
        for (int waits = 1; ; waits++) {
            try {
                return asked.bytes().join();
            } catch (CompletionException e) {
                FailedFetch failed = FailedFetch.of(e);
                if (asked.isMine() || waits == WAITS || !failed.isOnlyAnothers(this)) {
                    throw failed.toldOf(asked.page().blob());
                }
                boolean unused = cache.pages().asMap().remove(asked.page(), asked.bytes());
                asked = ask(asked.page(), asked.wanted());
            }
        }
    }

    /** Completes a page with its bytes from the disk or from the store, whatever happens. */
    private void load(BlobPage page, long wanted, CompletableFuture<ByteBuffer> mine) {
        List<CompletableFuture<ByteBuffer>> run = new ArrayList<>(List.of(mine));
        try {
            Optional<ByteBuffer> found = cache.disk().isOn() ? fromDisk(page) : Optional.empty();
            if (found.isPresent()) {
                cache.readAhead(page.blob()).found(page.number());
                mine.complete(found.get());
            } else {
                fetch(page, wanted, run);
            }
        } catch (Throwable e) {
            // An error as well: others wait for these pages.
            FailedFetch failed = new FailedFetch(this, e);
            run.forEach(each -> each.completeExceptionally(failed));
        }
    }

    private Optional<ByteBuffer> fromDisk(BlobPage page) {
        DiskPages.Search search = cache.disk().read(page);
        if (search instanceof DiskPages.Search.Found found) {
            listener.diskPage(true);
            return Optional.of(found.bytes());
        }
        listener.diskPage(false);
        if (search instanceof DiskPages.Search.Damaged) {
            listener.diskDamaged();
        }
        return Optional.empty();
    }

    /** Fetches a run of pages that are nowhere and that nobody else fetches, with one request, and completes them. */
    private void fetch(BlobPage first, long wanted, List<CompletableFuture<ByteBuffer>> run) throws IOException {
        BlobName blob = first.blob();
        long end = (blob.footerOffset() + BlobPage.BYTES - 1) / BlobPage.BYTES;
        long ahead = Math.max(wanted, cache.readAhead(blob).pages(first.number(), mostPages));
        long count = Math.min(end - first.number(), ahead);
        for (long next = first.number() + 1; next < first.number() + count; next++) {
            BlobPage page = new BlobPage(blob, next);
            CompletableFuture<ByteBuffer> mine = new CompletableFuture<>();
            if (cache.disk().contains(page) || cache.pages().asMap().putIfAbsent(page, mine) != null) {
                break;
            }
            run.add(mine);
        }
        int length = (int) Math.min((long) run.size() * BlobPage.BYTES, blob.footerOffset() - first.offset());
        // Each has memory of its own: a page that stays does not keep those that were fetched with it.
        List<ByteBuffer> pages = new ArrayList<>(run.size());
        for (int start = 0; start < length; start += BlobPage.BYTES) {
            pages.add(ByteBuffer.allocate(Math.min(BlobPage.BYTES, length - start)));
        }
        int got = store.get(prefix + blob.key(), first.offset(), pages);
        if (got != length) {
            throw new CorruptBlobException("%s: %d bytes at %d+%d".formatted(blob, got, first.offset(), length));
        }
        for (int i = 0; i < run.size(); i++) {
            ByteBuffer page = pages.get(i).flip();
            run.get(i).complete(page);
            keep(new BlobPage(blob, first.number() + i), page);
        }
    }
}
