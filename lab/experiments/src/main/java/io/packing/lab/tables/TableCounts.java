// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The counts of a table format while it is tried. */
final class TableCounts {
    private long conflicts;
    private long commits;
    private long lost;
    private long twice;
    private int broken;
    private String failure = "";

    /** Counts commits that were answered as done, and those that were refused before. */
    void commits(long done, long refused) {
        commits += done;
        conflicts += refused;
    }

    /** Counts a table that cannot be read, or that takes no commit. */
    void breaks(Exception e) {
        broken++;
        if (failure.isEmpty()) {
            failure = e.toString();
        }
    }

    /**
     * Compares a table with the rows that were answered. A row that no writer wrote counts as one that is there twice.
     *
     * @param open the row of a killed writer that had no answer: it may be there, once
     */
    void compare(List<Long> rows, Set<Long> answered, Optional<Long> open) {
        Set<Long> found = new HashSet<>(rows);
        twice += rows.size() - found.size();
        lost += answered.stream().filter(row -> !found.contains(row)).count();
        found.removeAll(answered);
        open.ifPresent(found::remove);
        twice += found.size();
    }

    TableRaces.Figures figures(int races, int kills) {
        return new TableRaces.Figures(races, conflicts, commits, lost, twice, kills, broken, failure);
    }
}
