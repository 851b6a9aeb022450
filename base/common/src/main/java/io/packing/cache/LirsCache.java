// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * LIRS (Jiang and Zhang, SIGMETRICS 2002, §3.3). Blocks with a low recency between their last two requests (LIR) have all of the cache
 * but a hundredth. The stack orders them, and others that were requested since the oldest of them, by their last request; the queue
 * has the other blocks of the cache, of which the oldest leaves. Of blocks that left, the stack keeps as many names as the cache has
 * blocks twice over; the paper leaves their number open.
 */
final class LirsCache implements BlockCache {
    /** Marks of the stack's entries. */
    private static final int LOW = 1;

    private static final int HIGH = 2;
    private static final int GONE = 3;

    private static final double LOW_SHARE = 0.99;
    private static final int NAMES = 2;

    private final int capacity;
    private final int low;
    private final EvictionListener departures;
    private final BlockLists stack;
    private final BlockLists queue;
    private final BlockLists gone;
    private int lows;

    LirsCache(int capacity, EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        queue = new BlockLists(capacity, 1);
        low = Math.max(1, (int) (capacity * LOW_SHARE));
        int names = Math.multiplyExact(NAMES, capacity);
        stack = new BlockLists(Math.addExact(names, Math.addExact(capacity, 2)), 1);
        gone = new BlockLists(Math.addExact(names, 1), 1);
    }

    @Override
    public boolean touch(long block) {
        int slot = stack.find(block);
        boolean isLow = slot != BlockLists.NONE && stack.mark(slot) == LOW;
        int queued = queue.find(block);
        if (!isLow && queued == BlockLists.NONE) {
            return false;
        }
        if (isLow) {
            boolean bottom = stack.oldest(0) == slot;
            stack.move(slot, 0);
            if (bottom) {
                prune();
            }
        } else if (slot != BlockLists.NONE && stack.newer(slot) != BlockLists.NONE) {
            queue.remove(queued);
            raise(slot);
        } else {
            // A repeat of the last request is no reuse.
            if (slot == BlockLists.NONE && lows > 0) {
                stack.mark(stack.add(block, 0), HIGH);
            }
            queue.move(queued, 0);
        }
        return true;
    }

    @Override
    public void insert(long block) {
        int name = stack.find(block);
        if (name != BlockLists.NONE) {
            // Its name must not be the one that goes for the names of others.
            gone.remove(gone.find(block));
            stack.mark(name, HIGH);
        }
        boolean full = size() == capacity;
        if (full) {
            evict();
        }
        int slot = stack.find(block);
        if (slot != BlockLists.NONE) {
            raise(slot);
        } else if (lows < low) {
            stack.mark(stack.add(block, 0), LOW);
            lows++;
        } else {
            if (full) {
                stack.mark(stack.add(block, 0), HIGH);
            }
            queue.add(block, 0);
        }
    }

    /** Makes a block of the stack a low one; the lowest one of the stack becomes a high one, at the young end of the queue. */
    private void raise(int slot) {
        stack.mark(slot, LOW);
        stack.move(slot, 0);
        lows++;
        if (lows > low) {
            int bottom = stack.oldest(0);
            long demoted = stack.block(bottom);
            stack.remove(bottom);
            lows--;
            queue.add(demoted, 0);
        }
        prune();
    }

    /** Takes entries from the bottom of the stack until it is a low one. */
    private void prune() {
        for (int bottom = stack.oldest(0);
                bottom != BlockLists.NONE && stack.mark(bottom) != LOW;
                bottom = stack.oldest(0)) {
            if (stack.mark(bottom) == GONE) {
                gone.remove(gone.find(stack.block(bottom)));
            }
            stack.remove(bottom);
        }
    }

    private void evict() {
        int oldest = queue.oldest(0);
        if (oldest == BlockLists.NONE) {
            int bottom = stack.oldest(0);
            departures.left(stack.block(bottom));
            stack.remove(bottom);
            lows--;
            prune();
            return;
        }
        long block = queue.block(oldest);
        queue.remove(oldest);
        departures.left(block);
        int slot = stack.find(block);
        if (slot != BlockLists.NONE) {
            stack.mark(slot, GONE);
            gone.add(block, 0);
            if (gone.size(0) > NAMES * capacity) {
                int name = gone.oldest(0);
                stack.remove(stack.find(gone.block(name)));
                gone.remove(name);
            }
        }
    }

    @Override
    public boolean remove(long block) {
        int slot = stack.find(block);
        int queued = queue.find(block);
        boolean isLow = slot != BlockLists.NONE && stack.mark(slot) == LOW;
        if (slot != BlockLists.NONE) {
            if (stack.mark(slot) == GONE) {
                gone.remove(gone.find(block));
            }
            stack.remove(slot);
        }
        if (queued != BlockLists.NONE) {
            queue.remove(queued);
        }
        lows -= isLow ? 1 : 0;
        prune();
        return isLow || queued != BlockLists.NONE;
    }

    @Override
    public boolean contains(long block) {
        int slot = stack.find(block);
        return (slot != BlockLists.NONE && stack.mark(slot) == LOW) || queue.find(block) != BlockLists.NONE;
    }

    @Override
    public int size() {
        return lows + queue.size(0);
    }

    @Override
    public void clear() {
        stack.clear();
        queue.clear();
        gone.clear();
        lows = 0;
    }
}
