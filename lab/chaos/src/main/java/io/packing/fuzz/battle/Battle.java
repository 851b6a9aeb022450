// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The threads of attackers and honest users on a house. It watches that honest users make progress, and that the
 * process does not grow.
 */
public final class Battle {
    private static final long LAST_STEP_SECONDS = 90;
    private static final long PROGRESS_SECONDS = 40;

    private final Finds finds;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    public Battle(Finds finds) {
        this.finds = finds;
    }

    /** A step of a thread, which may throw. */
    public interface Step {
        void run() throws Exception;
    }

    /** Adds a thread that repeats a step. If its name contains "honest", each failure is a find. */
    public void join(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    while (over.getCount() > 0) {
                        try {
                            step.run();
                        } catch (Exception e) {
                            if (name.contains("honest")) {
                                finds.add("%s failed: %s".formatted(name, e), -1, "");
                            }
                        } catch (Error e) {
                            // A missing thread weakens the attack, or the house took the memory.
                            finds.add("%s failed: %s".formatted(name, e), -1, Vitals.stacks());
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    /** Waits between steps; returns at the end of the battle. */
    public void pause(long millis) throws InterruptedException {
        boolean unused = over.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Runs all threads.
     *
     * @param honest counters of the honest users' successful steps
     * @param muster makes the house take its full resources, before the first count
     * @param retreat frees the attackers' resources, after their last step
     */
    public void fight(long seconds, Map<String, LongSupplier> honest, Step muster, Runnable retreat) throws Exception {
        threads.forEach(Thread::start);
        // A living system has its full resources after some calls, and must not need more.
        long warm = Math.max(5, seconds / 5);
        watch(honest, warm);
        muster.run();
        Vitals before = Vitals.now();
        watch(honest, Math.max(1, seconds - warm));
        over.countDown();
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(LAST_STEP_SECONDS));
            if (thread.isAlive()) {
                finds.add("%s hangs".formatted(thread.getName()), -1, Vitals.stacks());
            }
        }
        retreat.run();
        Vitals.now().worseThan(before).forEach(worse -> finds.add(worse, -1, Vitals.stacks()));
    }

    /** Lets the battle go on, and checks that each honest user makes progress. */
    private void watch(Map<String, LongSupplier> honest, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        Map<String, Progress> progress = new HashMap<>();
        while (System.nanoTime() < end && !over.await(100, TimeUnit.MILLISECONDS)) {
            for (Map.Entry<String, LongSupplier> each : honest.entrySet()) {
                Progress now = new Progress(each.getValue().getAsLong(), System.nanoTime());
                Progress seen = progress.get(each.getKey());
                if (seen == null || seen.done != now.done) {
                    progress.put(each.getKey(), now);
                } else if (now.at - seen.at > TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS)) {
                    finds.add(each.getKey() + " hangs", -1, Vitals.stacks());
                    return;
                }
            }
        }
    }

    /** The number of steps, with the time at which it was first seen. */
    private record Progress(long done, long at) {}
}
