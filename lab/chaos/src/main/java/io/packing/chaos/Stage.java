// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.cluster.RoundCluster;
import io.packing.chaos.model.Model;
import io.packing.chaos.run.Counts;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The state that all parts of a round share.
 *
 * @param peace lock whose read side each client's operation holds; a holder of the write side works while no operation
 *     runs
 * @param mood operations that lanes prefer now
 */
record Stage(
        Plan plan,
        RoundCluster cluster,
        Model model,
        RoundLog journal,
        Counts counts,
        ReadWriteLock peace,
        AtomicReference<PreferredOperation> mood) {
    Stage(Plan plan, RoundCluster cluster, Model model, RoundLog journal, Counts counts) {
        // A fair lock: a writer gets its turn although clients never stop.
        this(
                plan,
                cluster,
                model,
                journal,
                counts,
                new ReentrantReadWriteLock(true),
                new AtomicReference<>(PreferredOperation.ANY));
    }

    /** Work that needs the peace. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Waits until no operation runs, keeps new ones out, and does the work. */
    void inPeace(Work work) throws IOException, InterruptedException {
        peace.writeLock().lockInterruptibly();
        try {
            work.run();
        } finally {
            peace.writeLock().unlock();
        }
    }

    /** Sleeps. */
    static void pause(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the latch was counted down");
        }
    }
}
