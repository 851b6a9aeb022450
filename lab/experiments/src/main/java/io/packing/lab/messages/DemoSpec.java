// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import io.packing.hbase.load.YcsbLoad;
import java.nio.file.Path;

/**
 * The runs of the demonstration of tracing.
 *
 * @param kind which workload
 * @param load how much of it each side gets in a round
 * @param warmUp operations on HBase before those that are timed; may be none
 * @param regionServers of HBase
 * @param pairs traced runs with an untraced one beside each; 0: one traced run alone
 * @param rounds of each run
 * @param out where the trace and its report go
 */
public record DemoSpec(Kind kind, YcsbLoad load, int warmUp, int regionServers, int pairs, int rounds, Path out) {
    /** The workloads. */
    public enum Kind {
        HBASE,
        MAPREDUCE
    }

    public DemoSpec {
        if (warmUp != 0 && (warmUp < load.clients() || kind != Kind.HBASE)) {
            throw new IllegalArgumentException(
                    "--warm-up must be 0, or with HBase at least one operation for each of --clients, not " + warmUp);
        }
        if (load.clients() * turns(kind) > load.operations()) {
            throw new IllegalArgumentException(
                    "--operations must be at least %d, one for each of %d clients in %d turns, not %d"
                            .formatted(load.clients() * turns(kind), load.clients(), turns(kind), load.operations()));
        }
        if (regionServers < 1 || regionServers > 4) {
            throw new IllegalArgumentException("--region-servers must be 1 to 4, not " + regionServers);
        }
        if (pairs < 0) {
            throw new IllegalArgumentException("--runs must not be negative: " + pairs);
        }
        if (rounds < 1 || (rounds > 1 && kind != Kind.HBASE)) {
            throw new IllegalArgumentException("--rounds must be 1, or more with HBase, not " + rounds);
        }
        out = out.toAbsolutePath();
    }

    /** Turns of each side in a round: the results of MapReduce's jobs may be there only once. */
    int turns() {
        return turns(kind);
    }

    private static int turns(Kind kind) {
        return kind == Kind.HBASE ? ComparedTurns.TURNS : 1;
    }

    /** The load of one turn. */
    YcsbLoad turn() {
        return load.share(turns());
    }

    /** Runs of which a trace is made. */
    int tracedRuns() {
        return Math.max(1, pairs);
    }
}
