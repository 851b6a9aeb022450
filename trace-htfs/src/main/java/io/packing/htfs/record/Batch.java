package io.packing.htfs.record;

import java.util.Arrays;
import java.util.Comparator;

/** Filled slots that left their rings' queues and wait for their turn in the trace. Confined to the draining thread. */
final class Batch {
    private static final int FIRST = 1_024;
    // Differences, since the clock may wrap.
    private static final Comparator<Slot> ORDER = (a, b) -> Long.signum(a.orderNanos() - b.orderNanos());

    private Slot[] slots = new Slot[FIRST];
    private int size;
    private boolean sorted = true;
    /** Of no meaning; that there is something to compute keeps the reads. */
    @SuppressWarnings("UnusedVariable")
    private boolean touched;

    void add(Slot slot) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, 2 * size);
        }
        touched ^= slot.touch();
        sorted = sorted && (size == 0 || slots[size - 1].orderNanos() - slot.orderNanos() <= 0);
        slots[size++] = slot;
    }

    int size() {
        return size;
    }

    Slot get(int place) {
        return slots[place];
    }

    /** Puts the slots into the order of the trace; returns how many of them do not come after {@code until}. */
    int sort(long until) {
        if (!sorted) {
            Arrays.sort(slots, 0, size, ORDER);
            sorted = true;
        }
        int ready = size;
        while (ready > 0 && slots[ready - 1].orderNanos() - until > 0) {
            ready--;
        }
        return ready;
    }

    /** Forgets the first slots. */
    void removeFirst(int count) {
        System.arraycopy(slots, count, slots, 0, size - count);
        // Stale references behind the end are of slots, which live as long as their rings.
        size -= count;
    }
}
