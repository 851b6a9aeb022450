package io.packing.sim.node;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Cause;

/** What one node has done, by cause where it matters. Bytes unless the name says otherwise; times in nanoseconds. */
public final class NodeCounters {
    private static final int CAUSES = Cause.values().length;

    public final long[] reads = new long[CAUSES];
    public final long[] writes = new long[CAUSES];
    public final long[] readRequests = new long[CAUSES];
    public final long[] writeRequests = new long[CAUSES];
    /** Reads that needed no disk, and those of them that RAM alone answered. */
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

    /** Whole reads, from wherever they were answered: how many, and how long they took. */
    public final long[] answered = new long[CAUSES];

    public final long[] answerNanos = new long[CAUSES];
    /** What other machines sent. */
    public long networkBytes;

    /** Requires that nothing was lost or invented. */
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
