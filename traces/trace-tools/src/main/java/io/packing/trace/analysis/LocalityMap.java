// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

/**
 * The counts of reads that a nearby read recently preceded (Fig. 3.7), for one file at a time.
 *
 * <p>Line 0 counts earlier reads of a byte of the range; line d counts those within d bytes before or after. The column
 * is the shortest time within which the earlier read came.
 */
final class LocalityMap {
    /** The bytes of prefetching before and after a read: the lines of Fig. 3.7. */
    static final long[] DISTANCES = {0, 1 << 10, 64 << 10, 1 << 20};

    static final String[] LINES = {"0", "1KB", "64KB", "1MB"};
    private static final long MINUTE_NANOS = 60_000_000_000L;
    /** The number of columns: up to 1 minute, 2, 4, ..., 2^13, and ever. */
    static final int COLUMNS = 15;

    private final long[][] counts = new long[DISTANCES.length][COLUMNS + 1];

    /** Counts a read, or a run of {@code count} sequential ones, before {@code extents} has it. */
    void read(Extents extents, long start, long end, long nanos, int count) {
        for (int line = 0; line < DISTANCES.length; line++) {
            long from = Math.max(0, start - DISTANCES[line]);
            long last = extents.lastRead(from, end + DISTANCES[line]);
            counts[line][last == Extents.NEVER ? COLUMNS : column(nanos - last)]++;
            if (count > 1) {
                // The other reads of a run follow their neighbour at once. Earlier reads of their bytes are those of
                // the first one.
                int others = count - 1;
                counts[line][line > 0 ? 0 : last == Extents.NEVER ? COLUMNS : column(nanos - last)] += others;
            }
        }
    }

    /** Returns the column of an age; the last one stands for reads without an earlier one. */
    private static int column(long age) {
        int column = 0;
        for (long limit = MINUTE_NANOS; age > limit && column < COLUMNS - 1; limit *= 2) {
            column++;
        }
        return column;
    }

    /** Returns the limit of a column in minutes. */
    static long minutes(int column) {
        return 1L << column;
    }

    void addTo(Totals totals) {
        for (int line = 0; line < DISTANCES.length; line++) {
            for (int column = 0; column <= COLUMNS; column++) {
                totals.add(counts[line][column], "locality", LINES[line], Integer.toString(column));
            }
        }
    }
}
