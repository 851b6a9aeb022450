// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.RangeBeyondObjectException;
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

/**
 * The bodies of a store's blobs in pages, from a cache that other mounts may share. A miss fetches the page; each of
 * several misses in sequence fetches twice as many pages as the one before, with one request, up to the largest window.
 * Concurrent misses of a page share one request, of any reader.
 */
public final class BlobPages implements AutoCloseable {
    /**
     * The number of times that a reader waits for other readers' fetches of a page, which may fail for reasons of
     * theirs.
     */
    private static final int WAITS = 3;

    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final int mostPages;
    private final PageListener listener;
    private final Runnable released;
    private final ExtentRunReader runs;
    private final BlobExtents extents;
    private final BlobStreams streams;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Creates pages with a memory cache of their own. */
    public BlobPages(ObjectStore store, String prefix, long cacheBytes, int windowMaxBytes, PageListener listener) {
        this(
                new PageCache(cacheBytes, DiskTier.NONE, Keystore.NONE),
                store,
                prefix,
                windowMaxBytes,
                listener,
                () -> {});
    }

    /** @param released runs once, when this view is closed */
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
        this.runs = new ExtentRunReader(cache, store, prefix, listener);
        this.extents = new BlobExtents(this, store, prefix, listener);
        this.streams = new BlobStreams(store, prefix);
    }

    /** Returns the cache, with the bytes of all that share it. */
    public PageCache cache() {
        return cache;
    }

    /** Returns the checked extents in the pages. */
    public BlobExtents extents() {
        return extents;
    }

    /** Returns the reader of many extents at once. */
    ExtentRunReader runs() {
        return runs;
    }

    /** Gives the cache up; reads under way end as they would. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            streams.close();
            released.run();
        }
    }

    /** Reads a page as it is stored, without a check of an extent; empty: the blob is gone. */
    public Optional<ByteBuffer> page(BlobPage page) throws IOException {
        try {
            return Optional.of(await(ask(page, 1)).duplicate());
        } catch (ObjectNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Lets readers of a page wait for bytes that the caller brings; empty: the page is cached or on its way already.
     */
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

    /** Fetches the missing pages of a run, before a reader needs them. */
    public void bring(BlobName blob, long first, long last) throws IOException {
        List<ByteBuffer> unused = pages(blob, first, last);
    }

    /**
     * Fills a buffer with bytes of a blob past the cache, for a reader that will want those behind them, too. The request of the first read
     * brings those of the next ones, up to the end of the blob. No extent is checked.
     */
    void readOn(BlobName blob, long offset, ByteBuffer into) throws IOException {
        int length = into.remaining();
        int got = streams.read(blob, offset, List.of(into));
        if (got != length) {
            throw new CorruptBlobException("%s: %d bytes at %d+%d".formatted(blob, got, offset, length));
        }
    }

    /**
     * Returns the pages of a blob from one to another, whole, without a check of an extent. Other readers share them:
     * the caller must not move or change them.
     */
    List<ByteBuffer> pages(BlobName blob, long first, long last) throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            asked.add(ask(new BlobPage(blob, number), last - number + 1));
        }
        List<ByteBuffer> pages = new ArrayList<>(asked.size());
        for (Asked page : asked) {
            pages.add(await(page));
        }
        return pages;
    }

    /**
     * Forgets the pages of damaged bytes, so that no reader meets them again; sound neighbours are fetched again with
     * them.
     */
    void forget(BlobName blob, long offset, int length) {
        for (long number = offset / BlobPage.BYTES; number <= (offset + length - 1) / BlobPage.BYTES; number++) {
            cache.forget(new BlobPage(blob, number));
        }
    }

    /**
     * A page of a read.
     *
     * @param wanted pages of the read from this one on
     * @param isMine true if this read fetches it
     */
    private record Asked(BlobPage page, long wanted, CompletableFuture<ByteBuffer> bytes, boolean isMine) {}

    /**
     * Fetches a page that no reader has or fetches. It does not wait for other readers: while they fetch theirs, it can
     * fetch the next ones.
     */
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
            // The other pages would fail as well, each after all its attempts.
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

    /** Completes a page with its bytes from the disk or the store, or with the failure. */
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
            // Catch an error as well: other readers wait for these pages.
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

    /** Fetches a run of missing pages that no reader fetches, with one request, and completes them. */
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
        // Each page has memory of its own, so that a cached page does not keep the others of its fetch.
        List<ByteBuffer> pages = new ArrayList<>(run.size());
        for (int start = 0; start < length; start += BlobPage.BYTES) {
            pages.add(ByteBuffer.allocate(Math.min(BlobPage.BYTES, length - start)));
        }
        int got;
        try {
            got = store.get(prefix + blob.key(), first.offset(), pages);
        } catch (RangeBeyondObjectException e) {
            // The object is damaged, but perhaps only at its end: an extent that ends before it is then fetched alone.
            throw new CorruptBlobException(String.valueOf(e.getMessage()), e);
        }
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
