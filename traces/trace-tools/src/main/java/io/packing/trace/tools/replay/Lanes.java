// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Threads with a bounded queue each. A lane runs its tasks in their order. */
public final class Lanes implements AutoCloseable {
    private static final int WAITING = 1_024;

    private record Lane(ExecutorService thread, Semaphore room) {}

    private final List<Lane> lanes = new ArrayList<>();

    public Lanes(int count) {
        for (int i = 0; i < count; i++) {
            String name = "replay-" + i;
            lanes.add(new Lane(
                    Executors.newSingleThreadExecutor(task -> {
                        Thread thread = new Thread(task, name);
                        thread.setDaemon(true);
                        return thread;
                    }),
                    new Semaphore(WAITING)));
        }
    }

    /** Queues a task on the lane of {@code key} and waits while its queue is full. */
    public void run(Object key, Runnable task) throws InterruptedException {
        run(lanes.get(Math.floorMod(key.hashCode(), lanes.size())), task);
    }

    private static void run(Lane lane, Runnable task) throws InterruptedException {
        lane.room().acquire();
        lane.thread().execute(() -> {
            try {
                task.run();
            } finally {
                lane.room().release();
            }
        });
    }

    /** Waits until the lanes have run all queued tasks. */
    public void settle() throws InterruptedException {
        CountDownLatch idle = new CountDownLatch(lanes.size());
        for (Lane lane : lanes) {
            run(lane, idle::countDown);
        }
        idle.await();
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.thread().shutdown());
    }
}
