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

    /** Adds what a turn of the traced side gave. */
    void addTraced(double perSecond) {
        traced.add(perSecond);
    }

    /** Adds what a turn of the other side gave; each belongs to the traced one of the same number. */
    void addUntraced(double perSecond) {
        untraced.add(perSecond);
    }

    void addCheck(Completeness check) {
        checks.add(check);
    }

    void addFailures(long operations) {
        failures += operations;
    }

    /** Operations per second of each traced turn. */
    public List<Double> traced() {
        return List.copyOf(traced);
    }

    /** Operations per second of each turn that was not traced. */
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

    /** The traced throughput divided by the other, of each turn; empty without an untraced run. */
    public List<Double> ratios() {
        var ratios = new ArrayList<Double>();
        for (int turn = 0; turn < Math.min(traced.size(), untraced.size()); turn++) {
            ratios.add(traced.get(turn) / untraced.get(turn));
        }
        return ratios;
    }

    /**
     * The share of the throughput that tracing costs, by the median of {@link #ratios}; below zero when the traced turns were
     * the faster ones. Empty without an untraced run.
     */
    public OptionalDouble overhead() {
        var ratios = ratios();
        return ratios.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(1 - Median.of(ratios));
    }

    /** Whether every trace is complete and every operation ended well. */
    public boolean isClean() {
        return failures == 0 && checks.stream().allMatch(Completeness::isComplete);
    }
}
