// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.util.Arrays;

/** The places of extents in a body. It collects them in any order, finds overlaps, and walks the gaps between them. */
final class BodyMap {
    private final long bodyStart;
    private final long footerOffset;
    private long[] starts = new long[64];
    private long[] ends = new long[64];
    private int size;
    private long covered;
    private boolean ascending = true;

    BodyMap(long bodyStart, long footerOffset) {
        this.bodyStart = bodyStart;
        this.footerOffset = footerOffset;
    }

    /** A receiver of the gaps in a walk. */
    interface GapAction {
        void gap(long offset, long length) throws IOException;
    }

    /** Adds an extent. Returns false when the extents so far cannot fit into the body without an overlap. */
    boolean add(long start, long end) {
        covered += end - start;
        if (covered > footerOffset - bodyStart) {
            return false;
        }
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, 2 * size);
            ends = Arrays.copyOf(ends, 2 * size);
        }
        ascending &= size == 0 || start >= ends[size - 1];
        starts[size] = start;
        ends[size] = end;
        size++;
        return true;
    }

    /**
     * Returns an offset where two extents overlap, or -1 when none do. It sorts the extents, so call it before {@link
     * #forEachGap}.
     */
    long overlap() {
        if (!ascending) {
            // Non-empty intervals are disjoint exactly when each end, in order, is at or before the next start, in
            // order.
            Arrays.sort(starts, 0, size);
            Arrays.sort(ends, 0, size);
            for (int i = 1; i < size; i++) {
                if (ends[i - 1] > starts[i]) {
                    return starts[i];
                }
            }
            ascending = true;
        }
        return -1;
    }

    void forEachGap(GapAction action) throws IOException {
        long at = bodyStart;
        for (int i = 0; i <= size; i++) {
            long next = i == size ? footerOffset : starts[i];
            if (next > at) {
                action.gap(at, next - at);
            }
            at = i == size ? at : ends[i];
        }
    }

    long bodyStart() {
        return bodyStart;
    }

    int size() {
        return size;
    }

    long coveredBytes() {
        return covered;
    }
}
