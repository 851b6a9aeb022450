// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import java.util.List;

/**
 * The size of a load.
 *
 * @param records users, each a row
 * @param operations gets, puts and deletes on them
 * @param clients that run at once
 * @param seed determines the operations
 */
public record YcsbLoad(int records, int operations, int clients, long seed) {
    // These are names, since YCSB's classes are on the children's class path only.
    private static final String BINDING = "io.packing.hbase.load.HBaseBinding";
    private static final String WORKLOAD = "io.packing.hbase.load.MessagesWorkload";

    public YcsbLoad {
        if (records < 1 || operations < 1 || clients < 1 || clients > operations || clients > records) {
            throw new IllegalArgumentException(
                    "%d clients for %d records and %d operations".formatted(clients, records, operations));
        }
    }

    /** Returns a load with {@code before} other operations on these rows, to run before the measured ones. */
    public YcsbLoad warmUp(int before) {
        return new YcsbLoad(records, before, clients, seed + 1);
    }

    /** Returns one of {@code parts} parts with equally many operations, rounded up. */
    public YcsbLoad share(int parts) {
        return new YcsbLoad(records, (operations + parts - 1) / parts, clients, seed);
    }

    /** Returns the load of a turn: other operations on these rows, equally many. The first turn is this load. */
    public YcsbLoad turn(int number) {
        return number == 0 ? this : new YcsbLoad(records, operations, clients, seed + 1 + number);
    }

    /** Returns YCSB's words for the creation of the rows. */
    public List<String> load() {
        return words("-load", seed);
    }

    /** Returns YCSB's words for the operations. */
    public List<String> run() {
        // The operations need other random numbers than the creation of the rows.
        return words("-t", ~seed);
    }

    private List<String> words(String phase, long phaseSeed) {
        return List.of(
                phase,
                "-db",
                BINDING,
                "-threads",
                Integer.toString(clients),
                "-p",
                "workload=" + WORKLOAD,
                "-p",
                "recordcount=" + records,
                "-p",
                "operationcount=" + operations,
                "-p",
                "measurementtype=hdrhistogram",
                "-p",
                MessagesWorkload.SEED + "=" + phaseSeed);
    }
}
