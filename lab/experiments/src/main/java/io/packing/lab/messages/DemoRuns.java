// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import io.packing.hbase.check.Completeness;
import io.packing.lab.compare.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The results of a demonstration's runs so far. Confined to one thread. */
public final class DemoRuns {
    private final List<Turn> traced = new ArrayList<>();
    private final List<Turn> untraced = new ArrayList<>();
    private final List<ComparedTurns> rounds = new ArrayList<>();
    private final List<Completeness> checks = new ArrayList<>();
    private long failures;

    /** Adds what the traced side did when it ran alone. */
    void addAlone(List<Turn> turns) {
        traced.addAll(turns);
    }

    void addRound(ComparedTurns round) {
        traced.addAll(round.traced());
        untraced.addAll(round.untraced());
        rounds.add(round);
    }

    void addCheck(Completeness check) {
        checks.add(check);
    }

    void addFailures(long operations) {
        failures += operations;
    }

    /** Operations per second of each traced turn. */
    public List<Double> traced() {
        return traced.stream().map(Turn::perSecond).toList();
    }

    /** Operations per second of each turn that was not traced. */
    public List<Double> untraced() {
        return untraced.stream().map(Turn::perSecond).toList();
    }

    /** Returns the completeness of each traced run's trace. */
    public List<Completeness> checks() {
        return List.copyOf(checks);
    }

    /** Operations that did not end well, over all runs. */
    public long failures() {
        return failures;
    }

    /** The traced throughput divided by the other, of each round; empty without an untraced run. */
    public List<Double> ratios() {
        return rounds.stream().map(ComparedTurns::ratio).toList();
    }

    /** The traced servers' processor time divided by the others', of each round; empty where that is not known. */
    public List<Double> cpuRatios() {
        return rounds.stream()
                .map(ComparedTurns::cpuRatio)
                .filter(Double::isFinite)
                .toList();
    }

    /**
     * The share of the throughput that tracing costs, by the median of {@link #ratios}; below zero when the traced side was the
     * faster one. Empty without an untraced run.
     */
    public OptionalDouble overhead() {
        List<Double> ratios = ratios();
        return ratios.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(1 - Median.of(ratios));
    }

    /** Returns whether every trace is complete and every operation ended well. */
    public boolean isClean() {
        return failures == 0 && checks.stream().allMatch(Completeness::isComplete);
    }
}
