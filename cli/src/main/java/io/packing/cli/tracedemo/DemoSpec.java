package io.packing.cli.tracedemo;

import io.packing.hbase.load.LoadSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demonstration of tracing runs.
 *
 * @param kind which workload
 * @param load how much of it
 * @param warmUp operations on HBase before those that are timed; may be none
 * @param regionServers of HBase
 * @param pairs traced runs with an untraced one beside each; 0: one traced run alone
 * @param out where the trace and its report go
 */
public record DemoSpec(Kind kind, LoadSpec load, int warmUp, int regionServers, int pairs, Path out) {
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
        out = out.toAbsolutePath();
    }

    /**
     * Which runs are traced, one after the other. Every second pair is turned around, so that a machine which gets slower
     * or faster meanwhile favours nobody.
     */
    List<Boolean> traced() {
        if (pairs == 0) {
            return List.of(true);
        }
        var order = new ArrayList<Boolean>();
        for (int pair = 0; pair < pairs; pair++) {
            boolean tracedFirst = pair % 2 == 0;
            order.add(tracedFirst);
            order.add(!tracedFirst);
        }
        return order;
    }
}
