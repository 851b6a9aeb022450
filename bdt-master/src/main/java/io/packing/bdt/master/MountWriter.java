package io.packing.bdt.master;

import io.packing.bdt.DirectoryStatistics;
import io.packing.bdt.UnavailableException;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a mount. It takes whatever mutations wait, applies them one after the other, writes what they
 * changed as one record to the log (one sync for all of them), then to the store, and answers.
 *
 * <p>{@link #submit} is thread-safe; everything else is confined to the thread that calls {@link #step}.
 */
final class MountWriter {
    private static final Logger log = LoggerFactory.getLogger(MountWriter.class);
    private static final int QUEUE = 4_096;
    /** Rows after which a group is written even though more mutations wait. */
    private static final int ROWS_PER_GROUP = 50_000;
    /**
     * Segments kept behind the current one. A segment holds more than the store's write buffer, and an engine keeps at
     * most two buffers that are not in synced tables: older segments are not needed after a sync of the store.
     */
    private static final int SEGMENTS_KEPT = 3;

    /** Told what a group changed, after it was written and before anybody gets an answer. */
    interface Listener {
        void written(Changes changes, List<Table.Forget> forgets, DirectoryStatistics statistics, long position);
    }

    private record Pending<T>(Mutation<T> mutation, CompletableFuture<T> future) {}

    private final String name;
    private final SortedStore store;
    private final MountLog mountLog;
    private final boolean synced;
    private final Listener listener;
    private final Executor answers;
    private final Changes changes;
    private final Counters counters;
    private final Counters before = new Counters();
    private final Table table;
    private final BlockingQueue<Pending<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    private volatile @Nullable IOException broken;

    MountWriter(
            String name,
            SortedStore store,
            MountLog mountLog,
            boolean synced,
            Counters counters,
            DirectoryCache cache,
            Sessions sessions,
            Listener listener,
            Executor answers) {
        this.name = name;
        this.store = store;
        this.mountLog = mountLog;
        this.synced = synced;
        this.counters = counters;
        this.listener = listener;
        this.answers = answers;
        this.changes = new Changes(store);
        this.table = new Table(changes, counters, cache, sessions, true);
    }

    /** Queues a mutation; waits while the queue is full. */
    <T> CompletableFuture<T> submit(Mutation<T> mutation) {
        CompletableFuture<T> future = new CompletableFuture<>();
        IOException why = broken;
        try {
            if (why == null) {
                queue.put(new Pending<>(mutation, future));
                why = broken;
                if (why != null) {
                    failQueue(why);
                }
                return future;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = new UnavailableException("interrupted", e);
        }
        future.completeExceptionally(why);
        return future;
    }

    /** Waits for mutations for at most so long and writes one group of them; returns whether there was one. */
    boolean step(long waitMillis) throws InterruptedException {
        Pending<?> first = queue.poll(waitMillis, TimeUnit.MILLISECONDS);
        if (first == null) {
            return false;
        }
        List<Runnable> done = new ArrayList<>();
        List<CompletableFuture<?>> futures = new ArrayList<>();
        long firstPosition = counters.position + 1;
        Counters groupStart = new Counters();
        groupStart.set(counters);
        for (Pending<?> next = first; next != null; next = changes.size() < ROWS_PER_GROUP ? queue.poll() : null) {
            apply(next, done, futures);
        }
        try {
            write(firstPosition);
        } catch (IOException | RuntimeException e) {
            failGroup(e, groupStart, futures);
            return true;
        }
        answers.execute(() -> done.forEach(Runnable::run));
        return true;
    }

    /** Whether mutations are still taken. */
    boolean isTaking() {
        return broken == null;
    }

    /** Why no mutations are taken any more; empty while they are. */
    Optional<IOException> stopped() {
        return Optional.ofNullable(broken);
    }

    /** Stops taking mutations; what waits fails. */
    void stop(IOException why) {
        broken = why;
        failQueue(why);
    }

    private <T> void apply(Pending<T> pending, List<Runnable> done, List<CompletableFuture<?>> futures) {
        before.set(counters);
        try {
            T result = pending.mutation.apply(table);
            table.accept();
            changes.accept();
            futures.add(pending.future);
            done.add(() -> complete(pending.future, result));
        } catch (IOException | RuntimeException e) {
            changes.reject();
            table.reject();
            counters.set(before);
            answers.execute(() -> pending.future.completeExceptionally(e));
        }
    }

    private void write(long firstPosition) throws IOException {
        if (changes.isEmpty()) {
            return;
        }
        changes.put(Table.COUNTERS, counters.encode());
        changes.accept();
        long mark = mountLog.mark();
        mountLog.append(firstPosition, GroupRecord.encode(firstPosition, counters.position, changes));
        if (synced) {
            mountLog.sync();
        }
        try {
            store.write(changes.toBatch(), SortedStore.Sync.NONE);
        } catch (DiskFullException e) {
            // Nothing was written to the store: take the group back, so that the log does not promise it.
            mountLog.truncate(mark);
            throw e;
        }
        listener.written(changes, table.takeForgets(), counters.statistics(), counters.position);
        changes.clear();
        trimLog();
    }

    private void trimLog() throws IOException {
        if (mountLog.segments() > 2 * SEGMENTS_KEPT) {
            try {
                store.write(new WriteBatch().put(Keys.named(Keys.META, "synced"), new byte[0]), SortedStore.Sync.FSYNC);
            } catch (DiskFullException e) {
                // The group is written all the same; a later one finds space and trims.
                log.debug("mount {}: its log is not trimmed: {}", name, e.getMessage());
                return;
            }
            mountLog.deleteAllBut(SEGMENTS_KEPT);
        }
    }

    private void failGroup(Exception e, Counters groupStart, List<CompletableFuture<?>> futures) {
        changes.clear();
        table.dropForgets();
        counters.set(groupStart);
        IOException failure;
        if (e instanceof DiskFullException) {
            failure = new UnavailableException(
                    "mount %s: disk full at the master: %s".formatted(name, e.getMessage()), e);
        } else {
            // The log may hold what the store does not: only a replay brings them together again.
            failure = new UnavailableException(
                    (DiskFullException.isCauseOf(e)
                                    ? "mount %s: disk full at the master (%s); it goes on when there is space again"
                                    : "mount %s: its log or store failed (%s); restart the master when the cause is"
                                            + " mended")
                            .formatted(name, e),
                    e);
            broken = failure;
            log.error("mount {} stops: its log or store failed", name, e);
            failQueue(failure);
        }
        answers.execute(() -> futures.forEach(future -> future.completeExceptionally(failure)));
    }

    private static <T> void complete(CompletableFuture<T> future, T result) {
        // False only when the caller gave up by itself.
        boolean first = future.complete(result);
        assert first || future.isDone();
    }

    private void failQueue(IOException why) {
        List<Pending<?>> waiting = new ArrayList<>();
        queue.drainTo(waiting);
        answers.execute(() -> waiting.forEach(pending -> pending.future.completeExceptionally(why)));
    }

    /** The entry keys among the changes, for caches. */
    static void forEachEntryKey(Changes changes, java.util.function.Consumer<byte[]> visitor) {
        for (Map.Entry<byte[], Optional<byte[]>> row : changes.all()) {
            if (row.getKey()[0] == Keys.ENTRY) {
                visitor.accept(row.getKey());
            }
        }
    }
}
