// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

import java.util.function.LongUnaryOperator;

/**
 * The pauses between attempts that fail one after the other: each is twice as long as the one before, up to a longest.
 *
 * @param firstMillis after the first failure
 */
public record BackOff(long firstMillis, long longestMillis) {
    /** Doublings beyond which the longest pause is reached by any, and the product could overflow. */
    private static final long MOST_DOUBLINGS = 30;

    public BackOff {
        if (firstMillis < 0 || longestMillis < firstMillis || longestMillis > Long.MAX_VALUE >>> MOST_DOUBLINGS) {
            throw new IllegalArgumentException("pauses from %d to %d ms".formatted(firstMillis, longestMillis));
        }
    }

    /** Returns the pause after so many failures in a row, which are at least one. */
    public long millis(long failures) {
        if (failures < 1) {
            throw new IllegalArgumentException("a pause after %d failures".formatted(failures));
        }
        return Math.min(longestMillis, firstMillis << Math.min(failures - 1, MOST_DOUBLINGS));
    }

    /**
     * Returns at random between a half of the pause and all of it, so that callers that failed together do not try again together.
     *
     * @param random returns a number from 0 on, below the one that it takes
     */
    public long jitteredMillis(long failures, LongUnaryOperator random) {
        long most = millis(failures);
        return most / 2 + random.applyAsLong(most / 2 + 1);
    }
}
