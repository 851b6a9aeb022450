// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The filled slots that have left their rings' queues and wait for their turn in the trace. Confined to the draining
 * thread.
 */
final class Batch {
    private static final int FIRST = 1_024;
    // The order compares by differences, since the clock may wrap.
    private static final Comparator<Slot> ORDER = (a, b) -> Long.signum(a.orderNanos() - b.orderNanos());

    private Slot[] slots = new Slot[FIRST];
    private int size;
    private boolean sorted = true;
    /** A meaningless result, which keeps the compiler from removing the reads. */
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

    /**
     * Sorts the slots into the order of the trace; returns the number of those that do not come after {@code until}.
     */
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

    /** Removes the first slots. */
    void removeFirst(int count) {
        System.arraycopy(slots, count, slots, 0, size - count);
        // Stale references behind the end do no harm: slots live as long as their rings.
        size -= count;
    }
}
