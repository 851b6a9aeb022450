// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import org.HdrHistogram.Histogram;

/** The counters of a run of the packing stack. Bytes unless the name says otherwise; times in nanoseconds. */
final class PackCounters {
    private static final long LONGEST = 365L * 86_400_000_000_000L;

    long files;
    long fileBytes;
    long durableFiles;
    long durableBytes;
    long deletedFiles;
    /** The bytes of deleted files that were packed: holes in blobs. */
    long deadBytes;

    /** The files that were deleted before their push. */
    long savedFiles;

    long savedBytes;

    long lastClosed;
    long lastDurable;
    /** The time from the close of a file until the store has it: a crash would lose the file. */
    long exposedNanos;

    long mostExposedNanos;

    long blobs;
    long blobBytes;
    long sealedBySize;
    long sealedByAge;
    long localBytes;
    long mostBuffered;
    long waitsForRoom;

    long backups;
    long backupBytes;
    /** The rows of the table, and the most it had. */
    long rows;

    long mostRows;

    long reads;
    long readBytes;
    long bytesFromBuffers;
    long bytesFromCaches;
    long bytesFromStore;
    long bytesFromElsewhere;
    long readGets;
    /** The reads of files that the trace did not create. */
    long strangeReads;

    final Histogram readNanos = new Histogram(LONGEST, 2);

    void durable(long closedAt, long now, long size) {
        durableFiles++;
        durableBytes += size;
        exposedNanos += now - closedAt;
        mostExposedNanos = Math.max(mostExposedNanos, now - closedAt);
        lastDurable = now;
    }

    void row(int more) {
        rows += more;
        mostRows = Math.max(mostRows, rows);
    }

    void read(long nanos) {
        readNanos.recordValue(nanos);
    }
}
