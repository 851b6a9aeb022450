// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * Counts the work of the mutation under way: a unit is a row that was read, passed or written, or 256 bytes that were written. A request that
 * would hold the writer for too long is refused, since all other changes of the mount wait for it. Confined to the writer thread.
 */
public final class Effort {
    private static final int BYTES_PER_UNIT = 256;
    /** For names that one request moves, each of which is worth an operation. */
    private static final long MOST_FOR_NAMES = 100_000 * RequestSize.EACH_OPERATION;
    /** For maps of files: one that has bytes of 300,000 others is cloned at once, too. */
    private static final long MOST_FOR_MAPS = 4_800_000;

    private static final long EACH_CONTENT = 16;

    private long units;
    private long reads;
    private long most = Long.MAX_VALUE;
    private long leftForNames;
    private long leftForMaps;

    /** A mutation begins, for which no limit is known. */
    void begin() {
        units = 0;
        reads = 0;
        most = Long.MAX_VALUE;
    }

    /** Refuses the mutation under way when it takes more than a request of a size may. */
    public void limit(RequestSize request) {
        most = units + request.mostUnits();
        leftForNames = MOST_FOR_NAMES;
        leftForMaps = MOST_FOR_MAPS;
    }

    /** Counts one name more that the mutation moves. */
    public void allowName() {
        leftForNames -= allow(Math.min(leftForNames, RequestSize.EACH_OPERATION));
    }

    /** The mutation changes a file that has bytes of so many contents. */
    public void allowMap(int contents) {
        leftForMaps -= allow(Math.min(leftForMaps, contents * EACH_CONTENT));
    }

    private long allow(long more) {
        if (most == Long.MAX_VALUE) {
            return 0;
        }
        most += more;
        return more;
    }

    /** Returns the rows that the mutation under way took so far. */
    public long units() {
        return units;
    }

    /** Rows that the mutation under way read or passed. */
    public long reads() {
        return reads;
    }

    /** A row was read, or passed by a scan. */
    void read() {
        reads++;
        add(1);
    }

    /** A row of so many bytes was written, or one was deleted. */
    void wrote(int bytes) {
        add(1 + bytes / BYTES_PER_UNIT);
    }

    /** Returns whether the mutation may take so much more. */
    public boolean allows(long more) {
        return units <= most - more;
    }

    private void add(long more) {
        units += more;
        if (units > most) {
            long allowed = most;
            // What takes the mutation back is not counted.
            most = Long.MAX_VALUE;
            throw new TooMuchWorkException(allowed);
        }
    }
}
