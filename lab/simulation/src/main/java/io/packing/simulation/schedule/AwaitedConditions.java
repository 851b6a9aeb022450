// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Conditions of the cluster for which threads of a simulation wait. Each change that may make one true says so: a thread that looks again
 * and again would take most turns of a schedule.
 */
public final class AwaitedConditions {
    private static final class Waiting {
        private final SimulatedThread thread;
        private final BooleanSupplier condition;

        Waiting(SimulatedThread thread, BooleanSupplier condition) {
            this.thread = thread;
            this.condition = condition;
        }
    }

    private final Schedule schedule;
    private final List<Waiting> all = new ArrayList<>();

    AwaitedConditions(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Wakes the threads whose conditions hold now. */
    public void changed() {
        for (int i = 0; i < all.size(); i++) {
            Waiting each = all.get(i);
            if (each.condition.getAsBoolean()) {
                schedule.wake(each.thread);
            }
        }
    }

    /** Waits until a condition holds. */
    public void await(BooleanSupplier condition) throws InterruptedException {
        awaitUntil(condition, Long.MAX_VALUE);
    }

    /** Waits until a condition holds, or some time has passed. */
    public void await(BooleanSupplier condition, long millis) throws InterruptedException {
        awaitUntil(condition, schedule.nanos() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void awaitUntil(BooleanSupplier condition, long end) throws InterruptedException {
        Waiting waiting = new Waiting(schedule.me(), condition);
        all.add(waiting);
        try {
            while (!condition.getAsBoolean() && schedule.nanos() < end) {
                if (SimulatedJdk.interrupted()) {
                    throw new InterruptedException();
                }
                schedule.waitTurn("for a condition", end == Long.MAX_VALUE ? -1 : end - schedule.nanos());
            }
        } finally {
            all.remove(waiting);
        }
    }
}
