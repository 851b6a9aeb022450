// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * {@link BlockLists} whose entries have sizes, with the sum of each list. Blocks have the size 1, which takes no memory.
 */
final class EntryLists {
    /** The most entries of a cache that counts bytes. */
    private static final int MOST_OBJECTS = 1 << 28;

    private final BlockLists entries;
    private final boolean blocks;
    private final long[] sums;
    private long[] sizes = {};

    private EntryLists(int most, int lists, boolean blocks) {
        this.entries = new BlockLists(most, lists);
        this.blocks = blocks;
        this.sums = blocks ? entries.counts() : new long[lists];
    }

    /** Creates lists of at most so many blocks and names, each of the size 1. */
    static EntryLists ofBlocks(int most, int lists) {
        return new EntryLists(most, lists, true);
    }

    /** Creates lists of objects with sizes in bytes. */
    static EntryLists ofObjects(int lists) {
        return new EntryLists(MOST_OBJECTS, lists, false);
    }

    /** Returns the sum of the sizes of a list's entries. */
    long sum(int of) {
        return sums[of];
    }

    /** Returns the number of a list's entries. */
    int count(int of) {
        return entries.size(of);
    }

    /** Returns the slot of an entry, or {@link BlockLists#NONE}. */
    int find(long entry) {
        return entries.find(entry);
    }

    long entry(int slot) {
        return entries.block(slot);
    }

    /** Returns the size of an entry; 1 for a block. */
    long size(int slot) {
        return blocks ? 1 : sizes[slot];
    }

    int list(int slot) {
        return entries.list(slot);
    }

    int mark(int slot) {
        return entries.mark(slot);
    }

    void mark(int slot, int value) {
        entries.mark(slot, value);
    }

    int oldest(int of) {
        return entries.oldest(of);
    }

    int newer(int slot) {
        return entries.newer(slot);
    }

    /** Adds an entry that is on no list at the young end of one; returns its slot. */
    int add(long entry, long size, int to) {
        int slot = entries.add(entry, to);
        if (!blocks) {
            if (slot >= sizes.length) {
                sizes = Arrays.copyOf(sizes, Math.max(slot + 1, Math.max(1 << 10, 2 * sizes.length)));
            }
            sizes[slot] = size;
            sums[to] += size;
        }
        return slot;
    }

    /** Moves a slot to the young end of a list. */
    void move(int slot, int to) {
        if (!blocks) {
            sums[entries.list(slot)] -= sizes[slot];
            sums[to] += sizes[slot];
        }
        entries.move(slot, to);
    }

    /** Changes the size of an object; a block keeps its own. */
    void resize(int slot, long size) {
        if (!blocks) {
            sums[entries.list(slot)] += size - sizes[slot];
            sizes[slot] = size;
        }
    }

    void remove(int slot) {
        if (!blocks) {
            sums[entries.list(slot)] -= sizes[slot];
        }
        entries.remove(slot);
    }

    void clear() {
        entries.clear();
        Arrays.fill(sums, 0);
    }
}
