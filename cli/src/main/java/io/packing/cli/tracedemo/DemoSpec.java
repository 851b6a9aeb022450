package io.packing.cli.tracedemo;

import io.packing.hbase.load.LoadSpec;
import java.nio.file.Path;

/**
 * What the demonstration of tracing runs.
 *
 * @param kind which workload
 * @param load how much of it is one turn
 * @param warmUp operations on HBase before those that are timed; may be none
 * @param regionServers of HBase
 * @param pairs traced runs with an untraced one beside each; 0: one traced run alone
 * @param turns of each run, which the runs of a pair take alternately
 * @param out where the trace and its report go
 */
public record DemoSpec(Kind kind, LoadSpec load, int warmUp, int regionServers, int pairs, int turns, Path out) {
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
        if (regionServers < 1 || regionServers > 4) {
            throw new IllegalArgumentException("--region-servers must be 1 to 4, not " + regionServers);
        }
        if (pairs < 0) {
            throw new IllegalArgumentException("--runs must not be negative: " + pairs);
        }
        if (turns < 1 || (turns > 1 && kind != Kind.HBASE)) {
            throw new IllegalArgumentException("--turns must be 1, or more with HBase, not " + turns);
        }
        out = out.toAbsolutePath();
    }

    /** Runs of which a trace is made. */
    int tracedRuns() {
        return Math.max(1, pairs);
    }
}
