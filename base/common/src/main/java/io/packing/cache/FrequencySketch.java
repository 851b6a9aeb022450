// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * The approximate number of recent requests for each block (Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient
 * Cache Admission Policy", ACM Transactions on Storage 2017, §3). It is a count-min sketch of four rows of four-bit
 * counters, which are halved after ten requests for each word of the sketch.
 *
 * <p>A word has four counters of each row, for the blocks whose hash ends in equal two bits; the sketch has a word for
 * each block of the cache. It uses no random numbers: hash functions and halving are those of the Caffeine simulator,
 * so that hits agree with it to the integer.
 */
final class FrequencySketch {
    static final int MOST = 15;

    private static final int ROWS = 4;
    private static final int REQUESTS_PER_WORD = 10;
    private static final long[] ROW_SEEDS = {
        0xc3a5c85c97cb3127L, 0xb492b66fbe98f273L, 0x9ae16a3b2f90404fL, 0xcbf29ce484222325L
    };
    private static final long ODD = 0x1111111111111111L;
    private static final long HALF = 0x7777777777777777L;

    private final long[] words;
    private final int period;
    private int counted;

    FrequencySketch(int capacity) {
        if (capacity < 1 || capacity > 1 << 30) {
            throw new IllegalArgumentException("capacity %d; from 1 to 2^30".formatted(capacity));
        }
        int highest = Integer.highestOneBit(capacity);
        words = new long[Math.min(1 << 30, highest == capacity ? highest : highest * 2)];
        period = (int) Math.min(Integer.MAX_VALUE, (long) REQUESTS_PER_WORD * words.length);
    }

    /** Returns the requests for a block, never fewer than since the last halving, up to {@link #MOST}. */
    int frequency(long block) {
        int hash = hash(block);
        long least = MOST;
        for (int row = 0; row < ROWS; row++) {
            least = Math.min(least, words[word(hash, row)] >>> shift(hash, row) & MOST);
        }
        return (int) least;
    }

    /** Counts a request. */
    void increment(long block) {
        int hash = hash(block);
        boolean counts = false;
        for (int row = 0; row < ROWS; row++) {
            int word = word(hash, row);
            int shift = shift(hash, row);
            if ((words[word] >>> shift & MOST) < MOST) {
                words[word] += 1L << shift;
                counts = true;
            }
        }
        if (counts && ++counted == period) {
            halve();
        }
    }

    private void halve() {
        int odd = 0;
        for (int i = 0; i < words.length; i++) {
            odd += Long.bitCount(words[i] & ODD);
            words[i] = words[i] >>> 1 & HALF;
        }
        // Odd counters lost half a request more, and each request counts in four of them.
        counted = (counted - odd / ROWS) >>> 1;
    }

    private static int shift(int hash, int row) {
        return 4 * (ROWS * (hash & 3) + row);
    }

    private int word(int hash, int row) {
        long mixed = (hash + ROW_SEEDS[row]) * ROW_SEEDS[row];
        return (int) (mixed + (mixed >>> 32)) & (words.length - 1);
    }

    private static int hash(long block) {
        int x = Long.hashCode(block);
        x = (x >>> 16 ^ x) * 0x45d9f3b;
        x = (x >>> 16 ^ x) * 0x45d9f3b;
        return x >>> 16 ^ x;
    }

    void clear() {
        Arrays.fill(words, 0);
        counted = 0;
    }
}
