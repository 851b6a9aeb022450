// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.sim.BrokenInvariantException;
import java.util.PriorityQueue;

/** The events of a simulation in virtual time. Events of one instant happen in the order in which they were added. */
final class EventQueue {
    private record Entry(long time, long number, Runnable what) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long number;
    private long now;

    /** Returns the nanoseconds since the start. */
    long now() {
        return now;
    }

    void at(long time, Runnable what) {
        if (time < now) {
            throw new BrokenInvariantException("virtual time goes back from %d to %d ns".formatted(now, time));
        }
        entries.add(new Entry(time, number++, what));
    }

    void after(long nanos, Runnable what) {
        at(now + nanos, what);
    }

    /** Runs the next event; returns false if the agenda is empty. */
    boolean step() {
        Entry next = entries.poll();
        if (next == null) {
            return false;
        }
        now = next.time;
        next.what.run();
        return true;
    }
}
