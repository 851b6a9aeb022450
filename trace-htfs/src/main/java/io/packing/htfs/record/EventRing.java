package io.packing.htfs.record;

import io.packing.trace.TraceOrigin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of events that many threads fill and one thread drains, without locks and without allocation.
 *
 * <p>The slots carry sequence numbers, as in Vyukov's bounded queue: a writer claims the slot whose number equals its
 * ticket and publishes it by adding one. A full ring refuses at once; it never waits for the drain.
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
    private final int mask;
    private volatile long tail;
    /** Up to where slots were drained, if not released. Others read it to guess how full the ring is. */
    private volatile long head;
    /** What its slots do not know of their events; for the draining thread only. */
    private TraceOrigin origin = NOWHERE;

    private long wallMinusMono;

    EventRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("ring of %d slots: not a power of two".formatted(capacity));
        }
        slots = new Slot[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot(this, i);
        }
    }

    /** A slot that the caller must fill and {@link #publish}, null when the ring is full. */
    @Nullable
    Slot claim() {
        long ticket = tail;
        while (true) {
            Slot slot = slots[(int) ticket & mask];
            long ahead = slot.sequence() - ticket;
            if (ahead == 0) {
                if (TAIL.compareAndSet(this, ticket, ticket + 1)) {
                    return slot;
                }
            } else if (ahead < 0) {
                return null;
            }
            ticket = tail;
        }
    }

    /** Hands a claimed and filled slot to the draining thread. */
    void publish(Slot slot) {
        slot.publish(slot.sequence() + 1);
    }

    boolean halfFull() {
        return tail - head > slots.length / 2;
    }

    /** Moves every published event to {@code batch} in the order of the claims; for the draining thread only. */
    void drain(Batch batch) {
        long position = head;
        while (true) {
            Slot slot = slots[(int) position & mask];
            if (slot.sequence() != position + 1) {
                break;
            }
            batch.add(slot);
            position++;
        }
        head = position;
    }

    /** Says where and when drained events were: their process, and its wall clock less its monotonic one. */
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
        slot.publish(slot.sequence() - 1 + slots.length);
    }
}
