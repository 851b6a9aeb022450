// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import java.util.Arrays;

/** The reads and hits in equal stretches of virtual time. */
public final class HitTimeline {
    private final long stretchNanos;
    private long[] reads = new long[256];
    private long[] hits = new long[256];
    private int used;

    public HitTimeline(long stretchNanos) {
        if (stretchNanos < 1) {
            throw new IllegalArgumentException("bad stretch of %d ns".formatted(stretchNanos));
        }
        this.stretchNanos = stretchNanos;
    }

    void read(long time, boolean hit) {
        int at = (int) (time / stretchNanos);
        if (at >= reads.length) {
            int more = Math.max(at + 1, reads.length * 2);
            reads = Arrays.copyOf(reads, more);
            hits = Arrays.copyOf(hits, more);
        }
        used = Math.max(used, at + 1);
        reads[at]++;
        hits[at] += hit ? 1 : 0;
    }

    public long[] reads() {
        return Arrays.copyOf(reads, used);
    }

    public long[] hits() {
        return Arrays.copyOf(hits, used);
    }
}
