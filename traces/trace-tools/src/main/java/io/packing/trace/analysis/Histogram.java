// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Arrays;

/** The counts of values in {@link Buckets}, for the inner loop of a scan. Confined to one thread. */
final class Histogram {
    private final long[] counts = new long[Buckets.of(Long.MAX_VALUE) + 2];

    void add(long value, long count) {
        counts[Buckets.of(value) + 1] += count;
    }

    void addTo(Totals totals, String... words) {
        String[] name = Arrays.copyOf(words, words.length + 1);
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                name[words.length] = Integer.toString(i - 1);
                totals.add(counts[i], name);
            }
        }
    }
}
