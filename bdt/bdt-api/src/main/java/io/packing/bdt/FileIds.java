// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/** A source of file ids, from ranges that the master leases. Thread-safe. */
public final class FileIds {
    /** The ids of a range: a worker that stops wastes at most so many of 2^63. */
    public static final int RANGE = 65_536;

    /** A request to the master for a range. */
    @FunctionalInterface
    public interface Lease {
        /** Returns the first of {@code count} ids that no other process ever gets. */
        long first(int count) throws IOException;
    }

    private final Lease lease;
    private long next;
    private long end;

    public FileIds(Lease lease) {
        this.lease = lease;
    }

    /** Returns the next id; asks for another range when the last one is used up. */
    public synchronized long next() throws IOException {
        if (next == end) {
            next = lease.first(RANGE);
            end = next + RANGE;
        }
        return next++;
    }
}
