// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * A map from blocks to slots, each on one of a few linked lists. Arrays of numbers that grow up to the capacity hold
 * all of it, so a request allocates no memory.
 */
final class BlockLists {
    static final int NONE = -1;

    private final int lists;
    private final int most;
    private final long[] counts;
    private long[] blocks;
    private int[] previous;
    private int[] next;
    private byte[] list;
    private byte[] marks;
    private int[] table;
    private int used;
    private int free = NONE;

    /** Creates the lists: slots 0 to {@code lists - 1} are their ends, and blocks get the slots behind them. */
    BlockLists(int capacity, int lists) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d; at least 1".formatted(capacity));
        }
        this.lists = lists;
        this.most = Math.addExact(capacity, lists);
        int slots = Math.min(most, 1 << 10);
        blocks = new long[slots];
        previous = new int[slots];
        next = new int[slots];
        list = new byte[slots];
        marks = new byte[slots];
        table = new int[tableSize(slots)];
        counts = new long[lists];
        clear();
    }

    int size(int of) {
        return (int) counts[of];
    }

    /** Returns the sizes of all lists; they change with the lists. */
    long[] counts() {
        return counts;
    }

    /** Returns the slot of a block, or {@link #NONE}. */
    int find(long block) {
        for (int at = home(block); table[at] != NONE; at = (at + 1) & (table.length - 1)) {
            if (blocks[table[at]] == block) {
                return table[at];
            }
        }
        return NONE;
    }

    long block(int slot) {
        return blocks[slot];
    }

    int list(int slot) {
        return list[slot];
    }

    int mark(int slot) {
        return marks[slot];
    }

    void mark(int slot, int value) {
        marks[slot] = (byte) value;
    }

    /** Returns the slot that was appended first, or {@link #NONE}. */
    int oldest(int of) {
        return next[of] < lists ? NONE : next[of];
    }

    /** Returns the slot appended after this one, or {@link #NONE}. */
    int newer(int slot) {
        return next[slot] < lists ? NONE : next[slot];
    }

    /** Adds a block that is not in the map at the young end of a list; returns its slot. */
    int add(long block, int to) {
        int slot = free;
        if (slot != NONE) {
            free = next[slot];
        } else {
            if (used == blocks.length) {
                grow();
            }
            slot = used++;
        }
        blocks[slot] = block;
        marks[slot] = 0;
        enter(slot);
        link(slot, to);
        return slot;
    }

    /** Moves a slot to the young end of a list. */
    void move(int slot, int to) {
        unlink(slot);
        link(slot, to);
    }

    /** Forgets the block of a slot. */
    void remove(int slot) {
        unlink(slot);
        leave(slot);
        next[slot] = free;
        free = slot;
    }

    /** Forgets all blocks. */
    void clear() {
        Arrays.fill(table, NONE);
        Arrays.fill(counts, 0);
        for (int i = 0; i < lists; i++) {
            previous[i] = i;
            next[i] = i;
        }
        used = lists;
        free = NONE;
    }

    private void link(int slot, int to) {
        int youngest = previous[to];
        previous[slot] = youngest;
        next[slot] = to;
        next[youngest] = slot;
        previous[to] = slot;
        list[slot] = (byte) to;
        counts[to]++;
    }

    private void unlink(int slot) {
        next[previous[slot]] = next[slot];
        previous[next[slot]] = previous[slot];
        counts[list[slot]]--;
    }

    private int home(long block) {
        long mixed = block * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 32) & (table.length - 1);
    }

    private void enter(int slot) {
        int at = home(blocks[slot]);
        while (table[at] != NONE) {
            at = (at + 1) & (table.length - 1);
        }
        table[at] = slot;
    }

    /** Closes a slot's hole in the table, by moves of entries that a search would no longer reach. */
    private void leave(int slot) {
        int mask = table.length - 1;
        int hole = home(blocks[slot]);
        while (table[hole] != slot) {
            hole = (hole + 1) & mask;
        }
        for (int at = (hole + 1) & mask; table[at] != NONE; at = (at + 1) & mask) {
            int home = home(blocks[table[at]]);
            if (((at - home) & mask) >= ((at - hole) & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = NONE;
    }

    private void grow() {
        int slots = (int) Math.min(most, 2L * blocks.length);
        if (slots == blocks.length) {
            throw new IllegalStateException("more than the %d blocks of the capacity".formatted(most - lists));
        }
        blocks = Arrays.copyOf(blocks, slots);
        previous = Arrays.copyOf(previous, slots);
        next = Arrays.copyOf(next, slots);
        list = Arrays.copyOf(list, slots);
        marks = Arrays.copyOf(marks, slots);
        table = new int[tableSize(slots)];
        Arrays.fill(table, NONE);
        // Only a full map grows, so every slot behind the ends has a block.
        for (int slot = lists; slot < used; slot++) {
            enter(slot);
        }
    }

    private static int tableSize(int slots) {
        if (slots > 1 << 29) {
            throw new IllegalArgumentException("%d blocks are more than a cache holds in memory".formatted(slots));
        }
        return Integer.highestOneBit(slots) << 2;
    }
}
