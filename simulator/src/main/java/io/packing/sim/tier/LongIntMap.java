// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import java.util.Arrays;

/**
 * A hash map from non-negative {@code long} to non-negative {@code int}, without boxing: open addressing, half full at
 * most.
 */
public final class LongIntMap {
    /** The answer of {@link #get} for an unknown key. */
    public static final int ABSENT = -1;

    private static final long FREE = -1;

    private long[] keys = {};
    private int[] values = {};
    private int size;
    private int mask;

    /** @param expected entries that fit without growing */
    public LongIntMap(int expected) {
        allocate(Integer.highestOneBit(Math.max(8, Math.min(expected, 1 << 28)) * 2 - 1) * 2);
    }

    private void allocate(int slots) {
        keys = new long[slots];
        values = new int[slots];
        Arrays.fill(keys, FREE);
        mask = slots - 1;
    }

    public int size() {
        return size;
    }

    public int get(long key) {
        for (int i = home(key); ; i = (i + 1) & mask) {
            if (keys[i] == key) {
                return values[i];
            }
            if (keys[i] == FREE) {
                return ABSENT;
            }
        }
    }

    public void put(long key, int value) {
        if (size * 2 >= keys.length) {
            grow();
        }
        int i = home(key);
        while (keys[i] != FREE && keys[i] != key) {
            i = (i + 1) & mask;
        }
        if (keys[i] == FREE) {
            size++;
        }
        keys[i] = key;
        values[i] = value;
    }

    /** Removes {@code key} and returns its value; {@link #ABSENT} for an unknown key. */
    public int remove(long key) {
        int i = home(key);
        while (keys[i] != key) {
            if (keys[i] == FREE) {
                return ABSENT;
            }
            i = (i + 1) & mask;
        }
        int value = values[i];
        closeGap(i);
        size--;
        return value;
    }

    /** Moves later entries of the probe sequence back, so that no tombstone is needed. */
    private void closeGap(int gap) {
        int hole = gap;
        for (int i = (hole + 1) & mask; keys[i] != FREE; i = (i + 1) & mask) {
            int distance = (i - home(keys[i])) & mask;
            if (distance >= ((i - hole) & mask)) {
                keys[hole] = keys[i];
                values[hole] = values[i];
                hole = i;
            }
        }
        keys[hole] = FREE;
    }

    public void clear() {
        Arrays.fill(keys, FREE);
        size = 0;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        allocate(Math.multiplyExact(oldKeys.length, 2));
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                put(oldKeys[i], oldValues[i]);
            }
        }
    }

    private int home(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & mask;
    }
}
