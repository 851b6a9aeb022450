// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * LHD, least hit density (Beckmann, Chen and Cidon, "LHD: Improving Cache Hit Rate by Maximizing Hit Density", NSDI 2018). The entry
 * leaves that is expected to hit least for the room and time that it will still take. The cache compares 32 drawn entries, and the last 8
 * new ones of a low density. A hundredth of the cache explores: these entries leave at the largest age only, so that the densities of old
 * entries stay known.
 */
final class LhdCache extends PolicyCache {
    private static final int HELD = 0;
    private static final int DRAWN = 32;
    private static final int RECENT = 8;
    private static final int EXPLORERS_SHARE = 100;
    /** One of so many entries explores, while there is room for explorers. */
    private static final int EXPLORES_ONE_OF = 32;

    /** The largest age is so many times as many requests as the cache holds entries. */
    private static final long LONGEST = 100;

    private static final int REQUESTS_PER_MODEL = 1 << 14;
    private static final double DECAY = 0.9;
    private static final double EXPLORES = 1;
    private static final long SEED = 0x6c6864L;

    private final SlotSample sample = new SlotSample();
    private final HitDensities densities = new HitDensities();
    private final int ageShift;
    private final long[] recent = new long[RECENT];
    private final int mostExplorers;
    private SplittableRandom random = new SplittableRandom(SEED);
    private long[] lastRequest = {};
    private int[] lastAge = {};
    private int[] ageBefore = {};
    private boolean[] explores = {};
    private int recentCount;
    private int explorers;
    /** The density of entries that left, of which later ones weigh more. */
    private double leftDensity;

    private long turn;

    private LhdCache(int capacity, EvictionListener departures) {
        super(capacity, EntryLists.ofBlocks(capacity, 1), 1, departures);
        int shift = 0;
        while (((long) HitDensities.AGES << shift) < LONGEST * capacity) {
            shift++;
        }
        this.ageShift = shift;
        this.mostExplorers = capacity / EXPLORERS_SHARE;
    }

    static LhdCache ofBlocks(int capacity, EvictionListener departures) {
        return new LhdCache(capacity, departures);
    }

    private int age(int slot) {
        return (int) Math.min(HitDensities.AGES - 1, (turn - lastRequest[slot]) >> ageShift);
    }

    private int classOf(int slot) {
        return HitDensities.classOf(lastAge[slot] + ageBefore[slot]);
    }

    private double density(int slot) {
        int age = age(slot);
        if (age == HitDensities.AGES - 1) {
            return Double.NEGATIVE_INFINITY;
        }
        return densities.of(classOf(slot), age) + (explores[slot] ? EXPLORES : 0);
    }

    @Override
    void use(int slot) {
        int age = age(slot);
        densities.hit(classOf(slot), age);
        ageBefore[slot] = lastAge[slot];
        lastAge[slot] = age;
        request(slot);
    }

    @Override
    void admit(long entry, long size) {
        while (entries.count(HELD) + 1 > capacity) {
            evict();
        }
        int slot = entries.add(entry, size, HELD);
        if (slot >= lastRequest.length) {
            int room = Math.max(slot + 1, Math.max(1 << 10, 2 * lastRequest.length));
            lastRequest = Arrays.copyOf(lastRequest, room);
            lastAge = Arrays.copyOf(lastAge, room);
            ageBefore = Arrays.copyOf(ageBefore, room);
            explores = Arrays.copyOf(explores, room);
        }
        sample.add(slot);
        lastAge[slot] = 0;
        ageBefore[slot] = HitDensities.AGES;
        explores[slot] = false;
        request(slot);
        if (!explores[slot] && density(slot) < leftDensity) {
            recent[recentCount++ % RECENT] = entry;
        }
    }

    private void request(int slot) {
        lastRequest[slot] = turn++;
        explorers -= explores[slot] ? 1 : 0;
        explores[slot] = random.nextInt(EXPLORES_ONE_OF) == 0 && explorers < mostExplorers;
        explorers += explores[slot] ? 1 : 0;
        if (turn % REQUESTS_PER_MODEL == 0) {
            densities.model();
        }
    }

    private void evict() {
        int least = sample.candidate(0, DRAWN);
        double leastDensity = density(least);
        for (int i = 1; i < sample.candidates(DRAWN); i++) {
            int other = sample.candidate(i, DRAWN);
            double density = density(other);
            if (density < leastDensity) {
                least = other;
                leastDensity = density;
            }
        }
        for (int i = 0; i < Math.min(RECENT, recentCount); i++) {
            int other = entries.find(recent[i]);
            if (other != BlockLists.NONE && density(other) < leastDensity) {
                least = other;
                leastDensity = density(other);
            }
        }
        leftDensity = DECAY * leftDensity + (1 - DECAY) * Math.max(0, leastDensity);
        densities.eviction(classOf(least), age(least));
        leave(least);
    }

    @Override
    void settle() {
        // Blocks do not grow.
    }

    @Override
    void forget(int slot) {
        sample.remove(slot);
        explorers -= explores[slot] ? 1 : 0;
        super.forget(slot);
    }

    @Override
    public void clear() {
        super.clear();
        sample.clear();
        densities.clear();
        random = new SplittableRandom(SEED);
        recentCount = 0;
        explorers = 0;
        leftDensity = 0;
        turn = 0;
    }
}
