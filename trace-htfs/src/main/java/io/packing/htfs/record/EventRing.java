package io.packing.htfs.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of events that many threads fill and one thread drains, without locks and without allocation.
 *
 * <p>The slots carry sequence numbers, as in Vyukov's bounded queue: a writer claims the slot whose number equals its
 * ticket and publishes it by adding one. A full ring refuses at once; it never waits for the drain.
 */
final class EventRing {
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
    /** Written by the draining thread; others read it to guess how full the ring is. */
    private volatile long head;

    EventRing(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("ring of %d slots: not a power of two".formatted(capacity));
        }
        slots = new Slot[capacity];
        mask = capacity - 1;
        for (int i = 0; i < capacity; i++) {
            slots[i] = new Slot(i);
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

    /** Gives every published event to {@code consumer} in the order of the claims; for the draining thread only. */
    void drain(Consumer<Slot> consumer) {
        long position = head;
        while (true) {
            Slot slot = slots[(int) position & mask];
            if (slot.sequence() != position + 1) {
                break;
            }
            consumer.accept(slot);
            slot.release(position + slots.length);
            position++;
        }
        head = position;
    }
}
