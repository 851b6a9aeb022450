// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The traces of several machines, played as one in the order of time. It merges the traces, orders events that come a
 * little late, delays them by jitter (§3.2.3), and can end early.
 */
public final class Playback {
    private final TraceSource[] sources;
    private final TraceEvent[] heads;
    private final boolean[] over;
    private final long windowNanos;
    private final Rhythm rhythm;
    private final long jitterNanos;
    private final long until;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
    private final TraceEvent nothing;
    private final SplittableRandom random;
    private long start = Long.MIN_VALUE;
    private long number;
    private long now;
    private long late;
    private TraceEvent event;

    private record Waiting(long time, long number, TraceEvent event) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    public Playback(List<TraceSource> traces, Rhythm rhythm, long windowNanos, long jitterNanos, long seed, long until)
            throws IOException {
        this.sources = traces.toArray(TraceSource[]::new);
        this.heads = new TraceEvent[sources.length];
        this.over = new boolean[sources.length];
        this.rhythm = rhythm;
        this.windowNanos = windowNanos;
        this.jitterNanos = jitterNanos;
        this.until = until;
        this.random = new SplittableRandom(seed);
        this.nothing = new TraceEventBuilder(Call.UNKNOWN).build();
        this.event = nothing;
        for (int i = 0; i < sources.length; i++) {
            fetch(i);
            if (!over[i]) {
                start = start == Long.MIN_VALUE ? heads[i].wallNanos() : Math.min(start, heads[i].wallNanos());
            }
        }
    }

    /** Moves to the next event; returns false at the end. */
    public boolean advance() throws IOException {
        if (windowNanos == 0 && jitterNanos == 0) {
            return inOrder();
        }
        int first = first();
        while (first >= 0 && (waiting.isEmpty() || time(first) - windowNanos < waiting.element().time)) {
            waiting.add(new Waiting(time(first) + jitter(), number++, heads[first]));
            fetch(first);
            first = first();
        }
        if (waiting.isEmpty()) {
            return false;
        }
        Waiting next = waiting.remove();
        return emit(next.time, next.event);
    }

    private boolean inOrder() throws IOException {
        int first = first();
        if (first < 0) {
            return false;
        }
        long time = time(first);
        TraceEvent next = heads[first];
        fetch(first);
        return emit(time, next);
    }

    private boolean emit(long time, TraceEvent next) {
        if (time < now) {
            late++;
        } else {
            now = time;
        }
        event = next;
        return now <= until;
    }

    private int first() {
        int first = -1;
        for (int i = 0; i < heads.length; i++) {
            if (!over[i] && (first < 0 || heads[i].wallNanos() < heads[first].wallNanos())) {
                first = i;
            }
        }
        return first;
    }

    private long time(int source) {
        return rhythm.at(heads[source].wallNanos() - start);
    }

    private void fetch(int source) throws IOException {
        Optional<TraceEvent> next = sources[source].next();
        over[source] = next.isEmpty();
        heads[source] = next.orElse(nothing);
    }

    private long jitter() {
        return (long) (random.nextDouble() * jitterNanos);
    }

    public TraceEvent event() {
        return event;
    }

    /** Returns the time of the event, in nanoseconds since the first event of all. */
    public long time() {
        return now;
    }

    /** Counts the events that came too late to be put in order. */
    public long late() {
        return late;
    }
}
