// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.Map;

/** The counts of a schedule. Its threads take turns, so that none is lost. */
final class ScheduleCounts {
    long operations;
    long failed;
    long faults;
    /** Those of machines and processes. */
    long machineFaults;

    long lost;
    long returned;
    long wrong;
    long unlinearizable;
    /** Files beside their names, as docs/durability.md allows it. */
    long beside;
    /** Reads of files whose end a loss of the table has undone, and whose bytes their workers had dropped. */
    long undone;
    /** Writes that were acknowledged. */
    long written;

    void into(Map<String, Long> counts) {
        counts.put("operations", operations);
        counts.put("failed", failed);
        counts.put("faults", faults);
        counts.put("machine_faults", machineFaults);
        counts.put("lost", lost);
        counts.put("returned", returned);
        counts.put("wrong", wrong);
        counts.put("unlinearizable", unlinearizable);
        counts.put("beside", beside);
        counts.put("undone", undone);
        counts.put("written", written);
    }
}
