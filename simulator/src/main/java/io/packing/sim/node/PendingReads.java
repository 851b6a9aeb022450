// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import java.util.Arrays;

/** The reads that wait for parts from disk: a read has its answer with its last part. */
final class PendingReads {
    private int[] partsLeft = {};
    private long[] ended = {};
    private int[] nextFree = {};
    private int free = -1;
    private int open;

    /** @param leastEnd earliest end of the read, whatever the disk does */
    int begin(long leastEnd) {
        if (free < 0) {
            grow();
        }
        int ticket = free;
        free = nextFree[ticket];
        partsLeft[ticket] = 0;
        ended[ticket] = leastEnd;
        open++;
        return ticket;
    }

    /** Counts a part. The caller counts every part before the first one can end. */
    void expect(int ticket) {
        partsLeft[ticket]++;
    }

    /**
     * Ends a part; returns whether it was the last one. Then {@link #end} returns the read's end, and the ticket is
     * void.
     */
    boolean partDone(int ticket, long at) {
        ended[ticket] = Math.max(ended[ticket], at);
        if (--partsLeft[ticket] > 0) {
            return false;
        }
        nextFree[ticket] = free;
        free = ticket;
        open--;
        return true;
    }

    long end(int ticket) {
        return ended[ticket];
    }

    int open() {
        return open;
    }

    private void grow() {
        int size = partsLeft.length;
        int more = Math.max(64, size * 2);
        partsLeft = Arrays.copyOf(partsLeft, more);
        ended = Arrays.copyOf(ended, more);
        nextFree = Arrays.copyOf(nextFree, more);
        for (int i = size; i < more; i++) {
            nextFree[i] = free;
            free = i;
        }
    }
}
