package io.packing.cli.tracedemo;

import io.packing.cli.compare.Median;
import io.packing.hbase.check.Completeness;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What the runs of a demonstration gave so far. Confined to one thread. */
public final class DemoRuns {
    private final List<Double> traced = new ArrayList<>();
    private final List<Double> untraced = new ArrayList<>();
    private final List<Completeness> checks = new ArrayList<>();
    private long failures;

    void addTraced(Workload.Throughput run, Completeness check) {
        traced.add(run.perSecond());
        failures += run.failures();
        checks.add(check);
    }

    void addUntraced(Workload.Throughput run) {
        untraced.add(run.perSecond());
        failures += run.failures();
    }

    /** Operations per second of the traced runs. */
    public List<Double> traced() {
        return List.copyOf(traced);
    }

    /** Operations per second of the runs that were not traced. */
    public List<Double> untraced() {
        return List.copyOf(untraced);
    }

    /** How complete the trace of each traced run is. */
    public List<Completeness> checks() {
        return List.copyOf(checks);
    }

    /** Operations that did not end well, over all runs. */
    public long failures() {
        return failures;
    }

    /**
     * The share of the throughput that tracing costs, by the medians of the runs; below zero when the traced runs were the
     * faster ones. Empty without an untraced run.
     */
    public OptionalDouble overhead() {
        return traced.isEmpty() || untraced.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(1 - Median.of(traced) / Median.of(untraced));
    }

    /** Whether every trace is complete and every operation ended well. */
    public boolean isClean() {
        return failures == 0 && checks.stream().allMatch(Completeness::isComplete);
    }
}
