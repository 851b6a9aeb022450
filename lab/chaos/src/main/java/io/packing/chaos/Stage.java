package io.packing.chaos;

import io.packing.chaos.cluster.Cluster;
import io.packing.chaos.model.Model;
import io.packing.chaos.run.Counts;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What everything in a round shares.
 *
 * @param peace clients hold its read lock while they do something; who needs that nothing is under way holds the other
 * @param mood what lanes do now
 */
record Stage(
        Plan plan,
        Cluster cluster,
        Model model,
        Journal journal,
        Counts counts,
        ReadWriteLock peace,
        AtomicReference<Mood> mood) {
    Stage(Plan plan, Cluster cluster, Model model, Journal journal, Counts counts) {
        // Fair: who waits for peace gets it although clients never stop.
        this(plan, cluster, model, journal, counts, new ReentrantReadWriteLock(true), new AtomicReference<>(Mood.ANY));
    }

    /** Something that is done in peace. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Waits until nothing is under way, keeps it so, and works. */
    void inPeace(Work work) throws IOException, InterruptedException {
        peace.writeLock().lockInterruptibly();
        try {
            work.run();
        } finally {
            peace.writeLock().unlock();
        }
    }

    /** Lets time pass. */
    static void pause(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts it down");
        }
    }
}
