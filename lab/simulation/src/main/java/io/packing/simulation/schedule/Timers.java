// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.PriorityQueue;
import java.util.function.Consumer;

/** The times at which waiting threads are woken. The timer of a wait that has ended is stale. */
final class Timers {
    private record Timer(long nanos, long order, SimulatedThread thread, long waits) {
        private boolean isStale() {
            return thread.wait != waits;
        }
    }

    private final PriorityQueue<Timer> timers = new PriorityQueue<>(
            (a, b) -> a.nanos != b.nanos ? Long.compare(a.nanos, b.nanos) : Long.compare(a.order, b.order));
    private long orders;

    /** Adds a timer for the present wait of a thread, or its next one. */
    void add(long nanos, SimulatedThread thread) {
        timers.add(new Timer(nanos, orders++, thread, thread.wait));
    }

    /** Returns the time of the first timer; negative without one. */
    long first() {
        Timer timer = timers.peek();
        while (timer != null && timer.isStale()) {
            timers.remove();
            timer = timers.peek();
        }
        return timer == null ? -1 : timer.nanos();
    }

    /** Takes the timers until a time, and gives their threads to a consumer. */
    void take(long now, Consumer<SimulatedThread> to) {
        for (Timer timer = timers.peek(); timer != null && timer.nanos() <= now; timer = timers.peek()) {
            timers.remove();
            if (!timer.isStale()) {
                to.accept(timer.thread());
            }
        }
    }
}
