// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The clients' work during one act: every lane performs its operations; readers and racers go on until the lanes are
 * done.
 */
final class RoundLoad {
    private static final long POLL_MILLIS = 20;
    /**
     * The limit of waiting for a share of the operations: an event that clients wait for must not wait for the clients.
     */
    private static final int MOST_POLLS = 100;

    private final List<Future<?>> lanes = new ArrayList<>();
    private final List<Future<?>> others = new ArrayList<>();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final int wanted;

    private RoundLoad(int wanted) {
        this.wanted = wanted;
    }

    /** An operation that a thread repeats. */
    interface Step {
        void step() throws IOException, InterruptedException;
    }

    static RoundLoad start(ExecutorService threads, List<Lane> lanes, int operations, List<Step> others) {
        RoundLoad load = new RoundLoad(lanes.size() * operations);
        for (Lane lane : lanes) {
            load.lanes.add(threads.submit(() -> {
                Thread.currentThread().setName("lane-" + lane.number());
                for (int i = 0; i < operations; i++) {
                    lane.step();
                    load.done.incrementAndGet();
                }
                return true;
            }));
        }
        for (Step other : others) {
            load.others.add(threads.submit(() -> {
                Thread.currentThread().setName(other.getClass().getSimpleName());
                while (!load.ended.get()) {
                    other.step();
                    Stage.pause(POLL_MILLIS);
                }
                return true;
            }));
        }
        return load;
    }

    void awaitShare(double share) throws InterruptedException {
        for (int i = 0; i < MOST_POLLS && done.get() < share * wanted; i++) {
            Stage.pause(POLL_MILLIS);
        }
    }

    /** Waits until all lanes are done, and then the other threads. */
    void await() throws IOException, InterruptedException {
        try {
            for (Future<?> lane : lanes) {
                lane.get();
            }
            ended.set(true);
            for (Future<?> other : others) {
                other.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a client of the test failed: " + e.getCause(), e.getCause());
        } finally {
            ended.set(true);
        }
    }

    static ExecutorService threads() {
        return Executors.newCachedThreadPool();
    }
}
