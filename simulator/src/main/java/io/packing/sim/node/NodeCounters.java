// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Cause;

/** The counters of one node, by cause if that matters. Bytes unless the name says otherwise; times in nanoseconds. */
public final class NodeCounters {
    private static final int CAUSES = Cause.values().length;

    public final long[] reads = new long[CAUSES];
    public final long[] writes = new long[CAUSES];
    public final long[] readRequests = new long[CAUSES];
    public final long[] writeRequests = new long[CAUSES];
    /** The reads that needed no disk, and the part of them that RAM alone answered. */
    public final long[] hits = new long[CAUSES];

    public final long[] ramHits = new long[CAUSES];
    public final long[] misses = new long[CAUSES];

    public long ramBytes;
    public long flashBytes;
    public long missedBytes;
    public long cachedWrites;
    public long bufferedBytes;
    public long writtenThrough;
    public long destagedBytes;

    public final long[] diskReads = new long[CAUSES];
    public final long[] diskWrites = new long[CAUSES];
    public final long[] diskRequests = new long[CAUSES];
    public final long[] diskNanos = new long[CAUSES];
    public final long[] diskBusyNanos = new long[CAUSES];
    public final long[] diskReadRequests = new long[CAUSES];
    public final long[] diskReadNanos = new long[CAUSES];
    public final long[] diskWriteRequests = new long[CAUSES];
    public final long[] diskWriteNanos = new long[CAUSES];

    /** The number of whole reads with an answer from any tier, and the sum of their times. */
    public final long[] answered = new long[CAUSES];

    public final long[] answerNanos = new long[CAUSES];
    /** The bytes that other machines sent. */
    public long networkBytes;

    /** Requires that no bytes or requests were lost or invented. */
    void check() {
        BrokenInvariantException.same("bytes read and bytes served", total(reads), ramBytes + flashBytes + missedBytes);
        BrokenInvariantException.same("reads and hits with misses", total(readRequests), total(hits) + total(misses));
        BrokenInvariantException.same(
                "bytes written and bytes buffered or passed on", total(writes), bufferedBytes + writtenThrough);
    }

    public static long total(long[] byCause) {
        long sum = 0;
        for (long part : byCause) {
            sum += part;
        }
        return sum;
    }
}
