package io.packing.cli.tracedemo;

import java.io.IOException;
import java.util.Optional;

/**
 * One run of a workload with a trace and one without, side by side: both are there all the time, and take turns.
 *
 * @param traced starts the workload with a trace
 * @param untraced starts it without; empty: the traced one runs alone
 * @param turns of each
 */
record Sides(Start traced, Optional<Start> untraced, int turns) {
    /** Starts a workload. */
    interface Start {
        Workload.Session session() throws IOException, InterruptedException;
    }

    /** Does the run and adds what it gave; afterwards all processes of the workload have ended. */
    void run(DemoRuns runs) throws IOException, InterruptedException {
        try (var one = traced.session()) {
            if (untraced.isEmpty()) {
                for (int turn = 0; turn < turns; turn++) {
                    runs.addTraced(one.turn());
                }
            } else {
                try (var other = untraced.get().session()) {
                    byTurns(one, other, runs);
                    runs.addFailures(other.end());
                }
            }
            runs.addFailures(one.end());
        }
    }

    /** Every second turn is turned around, so that a machine which gets slower or faster meanwhile favours nobody. */
    private void byTurns(Workload.Session one, Workload.Session other, DemoRuns runs)
            throws IOException, InterruptedException {
        for (int turn = 0; turn < turns; turn++) {
            boolean tracedFirst = runs.traced().size() % 2 == 0;
            double first = (tracedFirst ? one : other).turn();
            double second = (tracedFirst ? other : one).turn();
            runs.addTraced(tracedFirst ? first : second);
            runs.addUntraced(tracedFirst ? second : first);
        }
    }
}
