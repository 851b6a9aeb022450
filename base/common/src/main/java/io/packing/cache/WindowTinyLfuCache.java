// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * W-TinyLFU (Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", ACM Transactions on
 * Storage 2017, §4). New blocks enter a window of a hundredth of the cache, least recently used first out. A block that
 * leaves it is a candidate for the main cache, a segmented LRU with four fifths protected. It enters if it had more
 * requests than the block that it would replace.
 *
 * <p>Caches that face attackers admit some candidates at random against forged collisions. A simulation has no
 * attackers, so this one repeats its decisions for equal requests.
 */
final class WindowTinyLfuCache implements BlockCache {
    private static final int WINDOW = 0;
    private static final int PROBATION = 1;
    private static final int PROTECTED = 2;

    private static final double MAIN_SHARE = 0.99;
    private static final double PROTECTED_SHARE = 0.8;

    private final int capacity;
    private final int window;
    private final int protectedBlocks;
    private final EvictionListener departures;
    private final FrequencySketch frequencies;
    private final BlockLists blocks;

    WindowTinyLfuCache(int capacity, EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        int main = (int) (capacity * MAIN_SHARE);
        window = capacity - main;
        protectedBlocks = (int) (main * PROTECTED_SHARE);
        // A candidate is in the cache while it is weighed against the block that it would replace.
        blocks = new BlockLists(Math.addExact(capacity, 1), 3);
        frequencies = new FrequencySketch(capacity);
    }

    @Override
    public boolean touch(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        frequencies.increment(block);
        if (blocks.list(slot) == WINDOW) {
            blocks.move(slot, WINDOW);
            return true;
        }
        blocks.move(slot, PROTECTED);
        if (blocks.size(PROTECTED) > protectedBlocks) {
            blocks.move(blocks.oldest(PROTECTED), PROBATION);
        }
        return true;
    }

    @Override
    public void insert(long block) {
        frequencies.increment(block);
        blocks.add(block, WINDOW);
        if (blocks.size(WINDOW) > window) {
            int candidate = blocks.oldest(WINDOW);
            blocks.move(candidate, PROBATION);
            if (size() > capacity) {
                evict(candidate, blocks.oldest(PROBATION));
            }
        }
    }

    private void evict(int candidate, int victim) {
        boolean admitted = frequencies.frequency(blocks.block(candidate)) > frequencies.frequency(blocks.block(victim));
        int loser = admitted ? victim : candidate;
        departures.left(blocks.block(loser));
        blocks.remove(loser);
    }

    @Override
    public boolean remove(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        blocks.remove(slot);
        return true;
    }

    @Override
    public boolean contains(long block) {
        return blocks.find(block) != BlockLists.NONE;
    }

    @Override
    public int size() {
        return blocks.size(WINDOW) + blocks.size(PROBATION) + blocks.size(PROTECTED);
    }

    @Override
    public void clear() {
        blocks.clear();
        frequencies.clear();
    }
}
