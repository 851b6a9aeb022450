// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.ArrayList;
import java.util.List;

/** The lines that a recorded run keeps for checkers. A seed replays without them, too. */
public final class ScheduleRecords {
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();

    ScheduleRecords(boolean kept) {
        this.kept = kept;
    }

    /** Returns true if the run keeps records. */
    public boolean isKept() {
        return kept;
    }

    /** Returns the records of a recorded run. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Keeps a line, if the run is recorded. */
    public void add(String line) {
        if (kept) {
            boolean unused = lines.add(line);
        }
    }

    /** Keeps a place for lines that are known later; returns its number. */
    public int reserve() {
        add("");
        return lines.size() - 1;
    }

    /** Puts lines into a place. An empty one has no record. */
    public void fill(int place, String text) {
        if (kept) {
            String unused = lines.set(place, text);
        }
    }
}
