// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Map;
import java.util.SortedMap;

/**
 * The logarithmic buckets for sizes and durations, 64 to a doubling: a quantile is within 1.1 percent of the true one.
 */
final class Buckets {
    private static final int PER_DOUBLING = 64;

    private Buckets() {}

    /** Returns the bucket of a value; 0 has a bucket of its own, −1. */
    static int of(long value) {
        return value <= 0 ? -1 : (int) Math.floor((Math.log((double) value) / Math.log(2)) * PER_DOUBLING + 1e-9);
    }

    /** Returns the middle of a bucket. */
    static double value(int bucket) {
        return bucket < 0 ? 0 : Math.pow(2, (bucket + 0.5) / PER_DOUBLING);
    }

    /** Returns the value below which {@code share} of the counts are; 0 without counts. */
    static double quantile(SortedMap<Integer, Long> histogram, double share) {
        long total = histogram.values().stream().mapToLong(Long::longValue).sum();
        long seen = 0;
        for (Map.Entry<Integer, Long> entry : histogram.entrySet()) {
            seen += entry.getValue();
            if (seen >= share * total) {
                return value(entry.getKey());
            }
        }
        return 0;
    }
}
