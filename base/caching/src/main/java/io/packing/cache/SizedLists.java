package io.packing.cache;

import java.util.Arrays;

/** {@link BlockLists} whose blocks have sizes, with the bytes of each list. */
final class SizedLists {
    private static final int MOST_OBJECTS = 1 << 28;

    private final BlockLists objects;
    private final long[] held;
    private long[] sizes = new long[1 << 10];

    SizedLists(int lists) {
        objects = new BlockLists(MOST_OBJECTS, lists);
        held = new long[lists];
    }

    /** Returns the bytes of the objects on a list. */
    long bytes(int of) {
        return held[of];
    }

    /** Returns the number of objects on a list. */
    int size(int of) {
        return objects.size(of);
    }

    int find(long object) {
        return objects.find(object);
    }

    long object(int slot) {
        return objects.block(slot);
    }

    int list(int slot) {
        return objects.list(slot);
    }

    int mark(int slot) {
        return objects.mark(slot);
    }

    void mark(int slot, int value) {
        objects.mark(slot, value);
    }

    int oldest(int of) {
        return objects.oldest(of);
    }

    int newer(int slot) {
        return objects.newer(slot);
    }

    /** Adds an object that is on no list at the young end of one. */
    void add(long object, long bytes, int to) {
        int slot = objects.add(object, to);
        if (slot >= sizes.length) {
            sizes = Arrays.copyOf(sizes, Math.max(slot + 1, 2 * sizes.length));
        }
        sizes[slot] = bytes;
        held[to] += bytes;
    }

    void move(int slot, int to) {
        held[objects.list(slot)] -= sizes[slot];
        held[to] += sizes[slot];
        objects.move(slot, to);
    }

    void resize(int slot, long bytes) {
        held[objects.list(slot)] += bytes - sizes[slot];
        sizes[slot] = bytes;
    }

    void remove(int slot) {
        held[objects.list(slot)] -= sizes[slot];
        objects.remove(slot);
    }
}
