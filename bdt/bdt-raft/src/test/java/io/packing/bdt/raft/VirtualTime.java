// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock in microseconds that stands during an event, and then jumps to the next one. Confined to one thread. */
final class VirtualTime {
    private record Event(long at, long order, Runnable what) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private long now;
    private long order;

    long now() {
        return now;
    }

    void after(long micros, Runnable what) {
        events.add(new Event(now + micros, order++, what));
    }

    /** Runs the next event; returns false if none is left. */
    boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        now = next.at;
        next.what.run();
        return true;
    }
}
