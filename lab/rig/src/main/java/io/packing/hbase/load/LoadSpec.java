package io.packing.hbase.load;

import java.util.List;

/**
 * How much load there is.
 *
 * @param records users, each a row
 * @param operations gets, puts and deletes on them
 * @param clients at the same time
 * @param seed the operations depend on it
 */
public record LoadSpec(int records, int operations, int clients, long seed) {
    // By name: YCSB, which these extend, is on the children's class path only.
    private static final String BINDING = "io.packing.hbase.load.HBaseBinding";
    private static final String WORKLOAD = "io.packing.hbase.load.MessagesWorkload";

    public LoadSpec {
        if (records < 1 || operations < 1 || clients < 1 || clients > operations || clients > records) {
            throw new IllegalArgumentException(
                    "%d clients for %d records and %d operations".formatted(clients, records, operations));
        }
    }

    /** Other operations on the same rows, so many, to be done before those that are measured. */
    public LoadSpec warmUp(int before) {
        return new LoadSpec(records, before, clients, seed + 1);
    }

    /** One of so many parts, each with as many of the operations, rounded up. */
    public LoadSpec share(int parts) {
        return new LoadSpec(records, (operations + parts - 1) / parts, clients, seed);
    }

    /** Other operations on the same rows, as many as these, in each turn; the first turn is this one. */
    public LoadSpec turn(int number) {
        return number == 0 ? this : new LoadSpec(records, operations, clients, seed + 1 + number);
    }

    /** YCSB's words for making the rows. */
    public List<String> load() {
        return words("-load", seed);
    }

    /** YCSB's words for the operations. */
    public List<String> run() {
        // Another stream of random numbers than the one that made the rows.
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
