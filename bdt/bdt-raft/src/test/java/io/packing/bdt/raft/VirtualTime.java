package io.packing.bdt.raft;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock in microseconds that stands while something happens, and goes on to the next thing that is to happen. Of one thread. */
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

    /** Lets the next thing happen; false: nothing is to happen any more. */
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
