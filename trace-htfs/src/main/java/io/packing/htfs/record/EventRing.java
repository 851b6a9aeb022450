// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.TraceOrigin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of events that many threads fill and one thread drains, without locks and without allocation.
 *
 * <p>The slots carry sequence numbers, as in Vyukov's bounded queue: a writer claims the slot whose number equals its
 * ticket, and publishes it by adding one. A full ring refuses at once; it never waits for the drain.
 */
final class EventRing {
    private static final TraceOrigin NOWHERE = new TraceOrigin("", 0, "");
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(EventRing.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Slot[] slots;
    /**
     * The sequence numbers of the slots, apart from them: the check for a free slot does not wait for the slot's
     * memory.
     */
    private final AtomicLongArray sequences;

    private final int mask;
    private volatile long tail;
    /** The position up to which slots were drained, released or not. Writers read it to estimate the ring's fill. */
    private volatile long head;
    /** The origin and the clock offset of the events, for the draining thread only. */
    private TraceOrigin origin = NOWHERE;

    private long wallMinusMono;

    EventRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("ring of %d slots: not a power of two".formatted(capacity));
        }
        slots = new Slot[capacity];
        sequences = new AtomicLongArray(capacity);
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot(this, i);
            sequences.setPlain(i, i);
        }
    }

    /** Returns a slot that the caller must fill and {@link #publish}; null if the ring is full. */
    @Nullable
    Slot claim() {
        long ticket = tail;
        while (true) {
            int place = (int) ticket & mask;
            long ahead = sequences.getAcquire(place) - ticket;
            if (ahead == 0) {
                if (TAIL.compareAndSet(this, ticket, ticket + 1)) {
                    return slots[place];
                }
            } else if (ahead < 0) {
                return null;
            }
            ticket = tail;
        }
    }

    /** Hands a claimed and filled slot to the draining thread. */
    void publish(Slot slot) {
        advance(slot, 1);
    }

    boolean halfFull() {
        return tail - head > slots.length / 2;
    }

    /** Moves every published event to {@code batch} in the order of the claims; for the draining thread only. */
    void drain(Batch batch) {
        long position = head;
        while (true) {
            int place = (int) position & mask;
            if (sequences.getAcquire(place) != position + 1) {
                break;
            }
            batch.add(slots[place]);
            position++;
        }
        head = position;
    }

    /** Sets the process of drained events, and its wall clock minus its monotonic one. */
    void place(TraceOrigin process, long wallMinusMonoNanos) {
        origin = process;
        wallMinusMono = wallMinusMonoNanos;
    }

    TraceOrigin origin() {
        return origin;
    }

    long wallMinusMono() {
        return wallMinusMono;
    }

    /** Gives a drained slot back to writers, in any order. */
    void release(Slot slot) {
        advance(slot, slots.length - 1L);
    }

    /** Hands a slot to the other side, with all its written fields. */
    private void advance(Slot slot, long by) {
        int place = slot.place();
        sequences.setRelease(place, sequences.getPlain(place) + by);
    }
}
