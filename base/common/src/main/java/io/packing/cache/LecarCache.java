// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * LeCaR (Vietri et al., "Driving Cache Replacement with ML-based LeCaR", HotStorage 2018, Algorithm 1). Two policies, LRU and LFU, have
 * weights, and the weights are the odds with which one of them chooses the entry that leaves. The cache keeps the names of as many
 * entries as it holds for each of the two. A request for such a name says that this choice was wrong, and lowers the policy's weight,
 * the more the shorter the name was there. A name that comes back counts its requests anew.
 */
final class LecarCache extends PolicyCache {
    static final double LEARNING_RATE = 0.45;
    /** The part of a regret that is left after as many requests as the cache holds entries. */
    static final double REGRET_LEFT = 0.005;

    private static final int HELD = 0;
    private static final int LEFT_BY_LRU = 1;
    private static final int LEFT_BY_LFU = 2;
    private static final long SEED = 0x6c65636172L;

    private final double discount;
    private final SlotHeap byRequests = new SlotHeap();
    /** The turn at which the entry of a name left. */
    private long[] leftAt = {};

    private SplittableRandom random = numbers();
    private double lruWeight = 0.5;
    private long turn;

    private LecarCache(int capacity, EvictionListener departures) {
        super(capacity, EntryLists.ofBlocks(Math.multiplyExact(3, capacity), 3), 1, departures);
        this.discount = Math.pow(REGRET_LEFT, 1.0 / capacity);
    }

    static LecarCache ofBlocks(int capacity, EvictionListener departures) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d; at least 1".formatted(capacity));
        }
        return new LecarCache(capacity, departures);
    }

    /** Returns the random numbers of a new cache. */
    static SplittableRandom numbers() {
        return new SplittableRandom(SEED);
    }

    /** Returns the probability with which LRU chooses. */
    double lruWeight() {
        return lruWeight;
    }

    @Override
    void use(int slot) {
        entries.move(slot, HELD);
        byRequests.change(slot, byRequests.priority(slot) + 1, ++turn);
    }

    @Override
    void admit(long entry, long size) {
        turn++;
        int name = entries.find(entry);
        if (name != BlockLists.NONE) {
            regret(entries.list(name), turn - leftAt[name]);
            forget(name);
        }
        while (entries.count(HELD) + 1 > capacity) {
            evict();
        }
        byRequests.add(entries.add(entry, size, HELD), 1, turn);
    }

    /** Lowers the weight of the policy that chose an entry which is requested again. */
    private void regret(int chosenBy, long requests) {
        double factor = Math.exp(-LEARNING_RATE * Math.pow(discount, (double) requests));
        double lru = lruWeight * (chosenBy == LEFT_BY_LRU ? factor : 1);
        double lfu = (1 - lruWeight) * (chosenBy == LEFT_BY_LFU ? factor : 1);
        lruWeight = lru / (lru + lfu);
    }

    private void evict() {
        boolean lru = random.nextDouble() < lruWeight;
        int slot = lru ? entries.oldest(HELD) : byRequests.first();
        int names = lru ? LEFT_BY_LRU : LEFT_BY_LFU;
        byRequests.remove(slot);
        if (slot >= leftAt.length) {
            leftAt = Arrays.copyOf(leftAt, Math.max(slot + 1, Math.max(1 << 10, 2 * leftAt.length)));
        }
        leftAt[slot] = turn;
        leaveName(slot, names);
        if (entries.count(names) > capacity) {
            forget(entries.oldest(names));
        }
    }

    @Override
    void settle() {
        // Blocks do not grow.
    }

    @Override
    void forget(int slot) {
        if (entries.list(slot) == HELD) {
            byRequests.remove(slot);
        }
        super.forget(slot);
    }

    @Override
    public void clear() {
        super.clear();
        byRequests.clear();
        random = numbers();
        lruWeight = 0.5;
        turn = 0;
    }
}
