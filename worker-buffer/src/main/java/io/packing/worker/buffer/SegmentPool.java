package io.packing.worker.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * The segments of a buffer, from their first record until their file is removed: open, closed and waiting to be packed,
 * taken by a packing thread. Thread-safe.
 */
final class SegmentPool {
    private final Map<Long, Segment> all = new HashMap<>();
    private final Set<Long> open = new HashSet<>();
    private final Set<Long> taken = new HashSet<>();
    private final Deque<Packable> packable = new ArrayDeque<>();
    private final LongConsumer freed;
    private boolean closed;

    /** An empty pool; {@code freed} learns how many bytes of disk became free. */
    SegmentPool(LongConsumer freed) {
        this.freed = freed;
    }

    synchronized Optional<Segment> get(long id) {
        return Optional.ofNullable(all.get(id));
    }

    synchronized List<Segment> segments() {
        return new ArrayList<>(all.values());
    }

    /** A segment that takes records. */
    synchronized void opened(Segment segment) {
        all.put(segment.id(), segment);
        open.add(segment.id());
    }

    /** Segments that take no more records. */
    synchronized void ready(Collection<? extends Packable> more) {
        for (Packable each : more) {
            all.put(each.segment().id(), each.segment());
            open.remove(each.segment().id());
            packable.add(each);
        }
        notifyAll();
    }

    /** Takes the first segment whose records are all resolved, waiting for one; empty when the time is over. */
    synchronized Optional<Packable> take(long waitMillis) throws InterruptedException {
        Optional<Packable> found = poll(each -> true);
        if (found.isEmpty() && !closed) {
            wait(waitMillis);
            found = poll(each -> true);
        }
        return found;
    }

    /** Takes another one that passes, if there is one. */
    synchronized Optional<Packable> poll(Predicate<Packable> wanted) {
        for (Iterator<Packable> i = packable.iterator(); !closed && i.hasNext(); ) {
            Packable next = i.next();
            if (next.segment().isResolved() && wanted.test(next)) {
                i.remove();
                taken.add(next.segment().id());
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    /** Gives a taken segment back: it is packed, or to be packed again. */
    void release(Packable done, boolean again) {
        synchronized (this) {
            taken.remove(done.segment().id());
            if (again) {
                packable.addFirst(done);
            }
            notifyAll();
        }
        dropIfEmpty(done.segment());
    }

    /** Something about a segment changed that a waiting thread may want to know. */
    synchronized void changed() {
        notifyAll();
    }

    /** Removes the segment's file when nobody needs it any more. */
    void dropIfEmpty(Segment segment) {
        synchronized (this) {
            long id = segment.id();
            if (!all.containsKey(id) || open.contains(id) || taken.contains(id) || !segment.isEmpty()) {
                return;
            }
            all.remove(id);
            packable.removeIf(waiting -> waiting.segment() == segment);
            notifyAll();
        }
        long bytes = segment.end();
        try {
            segment.delete();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        freed.accept(bytes);
    }

    /** Waits until no segment numbered up to {@code last} is left. */
    synchronized void awaitEmptyUpTo(long last) throws InterruptedException {
        while (!closed && all.keySet().stream().anyMatch(id -> id <= last)) {
            wait(1_000);
        }
    }

    void close() throws IOException {
        List<Segment> segments;
        synchronized (this) {
            closed = true;
            segments = segments();
            notifyAll();
        }
        for (Segment segment : segments) {
            segment.close();
        }
    }
}
