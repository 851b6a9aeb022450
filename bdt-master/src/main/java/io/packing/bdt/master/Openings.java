// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.RecoveryProgress;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The turns of threads that open mounts or change their options: one for each mount at a time, and none after the end. Thread-safe. */
final class Openings {
    private static final int MOST = 1 << 20;

    private final Semaphore permits = new Semaphore(MOST);
    private final Set<Thread> threads = new HashSet<>();
    private final LongSupplier nanos;
    private boolean ended;

    Openings(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Opens a mount, and tells how far it is. */
    interface Opening {
        Mount open(RecoveryProgress progress) throws IOException;
    }

    /** A question to a store, before it is known which mount is opened. */
    interface Question<T> {
        T ask() throws IOException;
    }

    /** Runs an opening; waits while the same mount is being opened by another thread. */
    Mount one(MountSlot<?, ?> slot, Opening opening) throws IOException {
        return before(() -> {
            synchronized (slot.turn()) {
                return opening.open(new RecoveryProgress(nanos));
            }
        });
    }

    /** Asks what an opening has to know; the end of the master breaks the question off. */
    <T> T before(Question<T> question) throws IOException {
        synchronized (threads) {
            if (ended || !permits.tryAcquire()) {
                throw new UnavailableException("the master is stopping");
            }
            threads.add(Thread.currentThread());
        }
        try {
            return question.ask();
        } finally {
            synchronized (threads) {
                threads.remove(Thread.currentThread());
            }
            permits.release();
        }
    }

    /** Lets no opening begin any more and breaks those off that are under way; returns whether they ended in time. */
    boolean end(long millis) {
        synchronized (threads) {
            ended = true;
            threads.forEach(Thread::interrupt);
        }
        try {
            return permits.tryAcquire(MOST, millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
