// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The figures of an engine.
 *
 * @param steps statements, writes and starts that the engine answered as done
 * @param conflicts of writers, one of which tried again
 * @param kills of a process of the engine
 * @param rows that the engine was told to have written
 * @param lost of these rows, those that its table does not have
 * @param twice rows that the table has more than once
 * @param seconds of all
 */
public record EngineFigures(int steps, int conflicts, int kills, long rows, long lost, long twice, double seconds) {
    private static final double NANOS = 1e9;

    /**
     * Compares the rows of a table with those that it should have.
     *
     * @param wanted different rows
     * @param since the time of the start, in nanoseconds
     */
    static EngineFigures of(int steps, int conflicts, int kills, Set<Long> wanted, List<Long> found, long since) {
        Set<Long> different = new HashSet<>(found);
        Set<Long> missing = new HashSet<>(wanted);
        missing.removeAll(different);
        // A row that no writer wrote counts as one that is there twice.
        long twice = (long) found.size() - different.size();
        different.removeAll(wanted);
        twice += different.size();
        double seconds = Math.round((System.nanoTime() - since) / NANOS * 10) / 10.0;
        return new EngineFigures(steps, conflicts, kills, wanted.size(), missing.size(), twice, seconds);
    }

    boolean isSound() {
        return lost + twice == 0;
    }
}
