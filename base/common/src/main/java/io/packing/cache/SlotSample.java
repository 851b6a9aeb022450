// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Slots from which a policy draws candidates for eviction. A draw has all slots when there are not more than it asks for. The random
 * numbers are equal in each run: a policy that draws repeats its decisions.
 */
final class SlotSample {
    private static final long SEED = 0x7061636b696e67L;

    private int[] slots = {};
    /** The place of each slot; only those of slots in the sample are read. */
    private int[] places = {};

    private int count;
    private SplittableRandom random = numbers();

    /** Returns the random numbers of a new sample. */
    static SplittableRandom numbers() {
        return new SplittableRandom(SEED);
    }

    void add(int slot) {
        if (slot >= places.length) {
            int room = Math.max(slot + 1, Math.max(1 << 10, 2 * places.length));
            slots = Arrays.copyOf(slots, room);
            places = Arrays.copyOf(places, room);
        }
        places[slot] = count;
        slots[count++] = slot;
    }

    void remove(int slot) {
        int last = slots[--count];
        slots[places[slot]] = last;
        places[last] = places[slot];
    }

    /** Returns how many candidates a draw of at most {@code most} has. */
    int candidates(int most) {
        return Math.min(most, count);
    }

    /** Returns candidate {@code number} of a draw of at most {@code most}; a large sample may have one twice. */
    int candidate(int number, int most) {
        return count <= most ? slots[number] : slots[random.nextInt(count)];
    }

    void clear() {
        count = 0;
        random = numbers();
    }
}
