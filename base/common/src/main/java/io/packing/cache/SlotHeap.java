// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * Slots in a binary heap by their priority, the lowest first. Of equal priorities the slot with the earlier turn is first, so the order
 * of eviction never depends on the heap's layout.
 */
final class SlotHeap {
    private int[] heap = {};
    /** The place of each slot in the heap; only those of slots in the heap are read. */
    private int[] places = {};

    private double[] priorities = {};
    private long[] turns = {};
    private int count;

    /** Adds a slot that is not in the heap. */
    void add(int slot, double priority, long turn) {
        if (slot >= places.length) {
            int room = Math.max(slot + 1, Math.max(1 << 10, 2 * places.length));
            heap = Arrays.copyOf(heap, room);
            places = Arrays.copyOf(places, room);
            priorities = Arrays.copyOf(priorities, room);
            turns = Arrays.copyOf(turns, room);
        }
        priorities[slot] = priority;
        turns[slot] = turn;
        put(slot, count++);
        rise(slot);
    }

    /** Gives a slot of the heap another priority and turn. */
    void change(int slot, double priority, long turn) {
        priorities[slot] = priority;
        turns[slot] = turn;
        rise(slot);
        sink(slot);
    }

    void remove(int slot) {
        int last = heap[--count];
        if (last != slot) {
            put(last, places[slot]);
            rise(last);
            sink(last);
        }
    }

    /** Returns the slot of the lowest priority, or {@link BlockLists#NONE}. */
    int first() {
        return count == 0 ? BlockLists.NONE : heap[0];
    }

    double priority(int slot) {
        return priorities[slot];
    }

    void clear() {
        count = 0;
    }

    private boolean before(int slot, int other) {
        int order = Double.compare(priorities[slot], priorities[other]);
        return order < 0 || (order == 0 && turns[slot] < turns[other]);
    }

    private void put(int slot, int place) {
        heap[place] = slot;
        places[slot] = place;
    }

    private void rise(int slot) {
        int at = places[slot];
        while (at > 0 && before(slot, heap[(at - 1) / 2])) {
            put(heap[(at - 1) / 2], at);
            at = (at - 1) / 2;
        }
        put(slot, at);
    }

    private void sink(int slot) {
        int at = places[slot];
        while (2 * at + 1 < count) {
            int child = 2 * at + 1;
            if (child + 1 < count && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], slot)) {
                break;
            }
            put(heap[child], at);
            at = child;
        }
        put(slot, at);
    }
}
