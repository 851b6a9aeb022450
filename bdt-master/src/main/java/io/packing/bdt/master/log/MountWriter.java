// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.change.BatchRule;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.DiskFullException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a mount. It takes whatever mutations wait, applies them one after the other, has what they changed
 * written as one batch, and answers.
 *
 * <p>Whatever a mutation throws, its caller learns it and the writer goes on. When what was written or the memory beside
 * it cannot be trusted any more, it stops: all waiting and later callers learn why.
 *
 * <p>{@link #submit} is thread-safe; everything else is confined to the thread that calls {@link #step}.
 */
public final class MountWriter implements TableWriter, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MountWriter.class);
    private static final int QUEUE = 4_096;
    /** Rows after which a batch is written even though more mutations wait. */
    private static final int ROWS_PER_GROUP = 50_000;

    /** A listener to the written batches. */
    public interface Listener {
        /** The store gets the rows of a batch now. */
        default void writing() {}

        /** Receives a batch's changes, after they are written and before any caller gets an answer. */
        void written(Transaction batch);

        /** Keeps the state of a table. */
        static Listener of(TableState state) {
            return new Listener() {
                @Override
                public void writing() {
                    state.writing();
                }

                @Override
                public void written(Transaction batch) {
                    state.written(batch);
                }
            };
        }
    }

    private record Pending<T>(Mutation<T> mutation, CompletableFuture<T> future) {}

    /** Mutations that are written with one record. */
    private static final class WrittenBatch {
        private final List<Runnable> done = new ArrayList<>();
        private final List<CompletableFuture<?>> futures = new ArrayList<>();
        /** The one that is being applied. */
        private @Nullable Pending<?> current;
        /** True once some of it may be written. */
        private boolean writing;
        /** True once all of it is. */
        private boolean written;
    }

    private final String name;
    private final TailedBatches batches;
    private final Listener listener;
    private final MountAnswers answers;
    private final WriteSet writes;
    private final Counters counters;
    private final Transaction transaction;
    private final BlockingQueue<Pending<?>> queue = new ArrayBlockingQueue<>(QUEUE);
    /** The turn to write; a thread that freezes the table holds it meanwhile. */
    private final Semaphore turn = new Semaphore(1);

    private FollowedRule rule;
    private volatile @Nullable IOException broken;
    /** True if the last batch was refused for the disk. */
    private boolean fullDisk;

    /** @param batches are closed with the writer */
    public MountWriter(String name, BatchStore batches, Transaction transaction, Listener listener, Executor answers) {
        this.name = name;
        this.batches = new TailedBatches(batches);
        this.listener = listener;
        this.answers = new MountAnswers(name, answers);
        this.rule = new FollowedRule(name, BatchRule.NONE);
        this.transaction = transaction;
        this.writes = transaction.rows();
        this.counters = transaction.counters();
    }

    /** Has each batch follow a rule. Called before the first {@link #step}. */
    public void follow(BatchRule each) {
        rule = new FollowedRule(name, each);
    }

    /** Queues a mutation; waits while the queue is full. */
    @Override
    public <T> CompletableFuture<T> submit(Mutation<T> mutation) {
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

    /** Waits for mutations for at most so long and writes one batch of them; returns whether there was one. */
    public boolean step(long waitMillis) throws InterruptedException {
        Pending<?> first = queue.poll(rule.waitMillis(waitMillis), TimeUnit.MILLISECONDS);
        if (first == null && (broken != null || !rule.isDue())) {
            return false;
        }
        if (first == null) {
            first = new Pending<>(transaction -> true, new CompletableFuture<>());
        }
        IOException before = broken;
        if (before != null) {
            // Without a turn: the thread that froze the table may wait long for a store.
            refuse(first, before);
            return true;
        }
        try {
            turn.acquire();
        } catch (InterruptedException e) {
            refuse(first, new UnavailableException("its writer was interrupted", e));
            throw e;
        }
        try {
            IOException why = broken;
            if (why == null) {
                write(first);
            } else {
                refuse(first, why);
            }
        } finally {
            turn.release();
        }
        return true;
    }

    private void refuse(Pending<?> pending, IOException why) {
        answers.give(List.of(() -> MountAnswers.fail(pending.future, why)));
    }

    private void write(Pending<?> first) {
        WrittenBatch batch = new WrittenBatch();
        try {
            long firstPosition = counters.position() + 1;
            transaction.begin();
            if (rule.isThere()) {
                apply(rule.before(), batch);
            }
            for (Pending<?> next = first; next != null; next = writes.size() < ROWS_PER_GROUP ? queue.poll() : null) {
                apply(next, batch);
            }
            if (rule.isThere() && !writes.isEmpty()) {
                apply(rule.after(), batch);
            }
            write(firstPosition, batch);
        } catch (Throwable e) {
            giveUp(batch, e);
            return;
        }
        answers.give(batch.done);
        if (fullDisk && batch.written) {
            fullDisk = false;
            LOG.info("mount {}: the disk has space again, and changes are taken", name);
        }
        tidy();
    }

    /** Waits for the batch that is being written, and lets none begin until {@link #thaw}: mutations wait. */
    public void freeze() throws InterruptedException {
        turn.acquire();
    }

    /** Ends what {@link #freeze} began. A writer that stopped meanwhile refuses the waiting mutations. */
    public void thaw() {
        turn.release();
    }

    /** Returns the batches that become durable, for a follower. */
    public TailedBatches batches() {
        return batches;
    }

    /** Blobs whose live bytes were found to be counted wrong since the start. */
    public long accountErrors() {
        return transaction.live().errors();
    }

    /** Returns the fill of the queue, from 0 to 1. */
    public double filled() {
        return queue.size() / (double) QUEUE;
    }

    /** Returns whether the writer still takes mutations. */
    public boolean isTaking() {
        return broken == null;
    }

    /** Returns the reason for which the writer takes no more mutations. */
    public Optional<String> problem() {
        IOException why = broken;
        return why == null ? Optional.empty() : Optional.of(String.valueOf(why.getMessage()));
    }

    /** Returns whether a full disk of the log or the store stopped the writer: opened again, they are sound. */
    public boolean isStoppedByFullDisk() {
        IOException why = broken;
        return why != null && DiskFullException.isCauseOf(why);
    }

    /** Returns the bytes that others must leave free on the disk, so that mutations are taken. */
    public long keptFreeBytes() {
        return batches.keptFreeBytes();
    }

    /** Returns whether no other writer can have written the table since this one was made. */
    public boolean isCurrent() {
        return batches.isCurrent();
    }

    /** Stops taking mutations; what waits fails. The first reason stays. */
    public void stop(IOException why) {
        IOException known = broken;
        IOException reason = known == null ? why : known;
        broken = reason;
        failQueue(reason);
        // Wakes the thread that steps; a full queue has it awake.
        boolean unused = queue.offer(new Pending<>(transaction -> true, new CompletableFuture<>()));
    }

    /** Closes files; the thread that steps must have ended. */
    @Override
    public void close() throws IOException {
        batches.close();
    }

    private void apply(FollowedRule.Part part, WrittenBatch batch) {
        apply(new Pending<>(part.mutation(), part.failed()), batch);
    }

    private <T> void apply(Pending<T> pending, WrittenBatch batch) {
        batch.current = pending;
        try {
            T result = pending.mutation.apply(transaction);
            transaction.accept();
            batch.futures.add(pending.future);
            batch.done.add(() -> MountAnswers.complete(pending.future, result));
        } catch (IOException | RuntimeException e) {
            transaction.reject();
            // Not now: the cause may be a change by an earlier mutation that no client can see yet.
            batch.futures.add(pending.future);
            batch.done.add(() -> MountAnswers.fail(pending.future, e));
        }
        batch.current = null;
    }

    private void write(long firstPosition, WrittenBatch batch) throws IOException {
        if (writes.isEmpty()) {
            transaction.written();
            return;
        }
        writes.put(Counters.KEY, counters.encode());
        writes.accept();
        batch.writing = true;
        try {
            batches.write(firstPosition, counters.position(), writes, listener::writing);
        } catch (DiskFullException e) {
            batch.writing = false;
            throw e;
        }
        batch.written = true;
        listener.written(transaction);
        transaction.written();
    }

    private void tidy() {
        try {
            batches.tidy();
        } catch (DiskFullException e) {
            // What was answered stands; the next batch comes by here again.
            LOG.debug("mount {}: more is kept than a restart needs", name, e);
        } catch (Throwable e) {
            stopped("its log or store failed", e);
        }
    }

    /** Takes a batch back that was not written whole, and stops when what is on disk or in memory may say otherwise. */
    private void giveUp(WrittenBatch batch, Throwable e) {
        boolean trusted = !batch.writing && !batch.written;
        try {
            transaction.abandon();
        } catch (Throwable again) {
            e.addSuppressed(again);
            trusted = false;
        }
        IOException failure;
        if (!trusted) {
            failure = stopped(batch.written ? "what follows a write failed" : "its log or store failed", e);
        } else if (e instanceof DiskFullException) {
            failure = new UnavailableException(
                    "mount %s: disk full at the master: %s".formatted(name, e.getMessage()), e);
            noteFullDisk(e);
        } else {
            LOG.error("mount {}: a mutation failed; it and those that came with it are taken back", name, e);
            failure = new UnavailableException(
                    "mount %s: given up together with a mutation that failed (%s); repeat it".formatted(name, e), e);
        }
        List<Runnable> failures = new ArrayList<>();
        Pending<?> current = batch.current;
        if (current != null) {
            IOException own =
                    trusted ? new IOException("mount %s: the mutation failed: %s".formatted(name, e), e) : failure;
            failures.add(() -> MountAnswers.fail(current.future, own));
        }
        batch.futures.forEach(future -> failures.add(() -> MountAnswers.fail(future, failure)));
        answers.give(failures);
    }

    private void noteFullDisk(Throwable e) {
        if (!fullDisk) {
            fullDisk = true;
            LOG.warn("mount {}: the disk is full, and changes are refused: {}", name, e.getMessage());
        }
    }

    private IOException stopped(String what, Throwable e) {
        if (e instanceof UnavailableException away) {
            LOG.warn("mount {} stops: {}", name, away.getMessage());
            stop(away);
            return away;
        }
        // The log may hold what the store does not: only a replay brings them together again.
        IOException failure = new UnavailableException(
                (DiskFullException.isCauseOf(e)
                                ? "mount %s: disk full at the master: %s (%s); free some space, and the mount goes on by"
                                        + " itself"
                                : "mount %s: %s (%s); restart the master when the cause is mended")
                        .formatted(name, what, e),
                e);
        LOG.error("mount {} stops: {}", name, what, e);
        stop(failure);
        return failure;
    }

    private void failQueue(IOException why) {
        List<Pending<?>> waiting = new ArrayList<>();
        queue.drainTo(waiting);
        List<Runnable> failures = new ArrayList<>();
        waiting.forEach(pending -> failures.add(() -> MountAnswers.fail(pending.future, why)));
        answers.give(failures);
    }
}
