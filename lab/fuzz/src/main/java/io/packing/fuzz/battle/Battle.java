package io.packing.fuzz.battle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** All who act on a house at the same time, and what is watched meanwhile: that honest ones go on, and that nothing grows. */
public final class Battle {
    private static final long LAST_STEP_SECONDS = 90;
    private static final long PROGRESS_SECONDS = 40;

    private final Finds finds;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    public Battle(Finds finds) {
        this.finds = finds;
    }

    /** A step, which may throw. */
    public interface Step {
        void run() throws Exception;
    }

    /** Adds a thread that makes one step after the other; of one whose name says that it is honest, each must be well. */
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
                            // A thread less is a weaker attack, or the house took the memory.
                            finds.add("%s failed: %s".formatted(name, e), -1, Vitals.stacks());
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
    }

    /** For steps that need not follow each other at once; ends with the battle. */
    public void pause(long millis) throws InterruptedException {
        boolean unused = over.await(millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Lets all of them act.
     *
     * @param honest how many steps of each honest one were well until now
     * @param muster makes the house take what it takes at most, before what it holds is counted first
     * @param retreat lets go of what attackers hold, after their last step
     */
    public void fight(long seconds, Map<String, LongSupplier> honest, Step muster, Runnable retreat) throws Exception {
        threads.forEach(Thread::start);
        // What a living system needs at most is there after some calls, and must be enough from then on.
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

    /** Lets the battle go on, and looks whether each of the honest ones does, too. */
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

    /** How many steps were done when that was seen first. */
    private record Progress(long done, long at) {}
}
