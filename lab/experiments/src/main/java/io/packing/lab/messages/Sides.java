// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One run of a workload with a trace and one without, side by side: both are there all the time, and take turns.
 *
 * @param traced starts the workload with a trace
 * @param untraced starts it without; empty: the traced one runs alone
 * @param rounds that are compared
 * @param turns of each side in a round
 */
record Sides(Start traced, Optional<Start> untraced, int rounds, int turns) {
    /** Starts a workload. */
    interface Start {
        HdfsWorkload.Session session() throws IOException, InterruptedException;
    }

    /** Does the run and adds what it gave; afterwards all processes of the workload have ended. */
    void run(DemoRuns runs) throws IOException, InterruptedException {
        try (HdfsWorkload.Session one = traced.session()) {
            if (untraced.isEmpty()) {
                runs.addAlone(alone(one));
            } else {
                try (HdfsWorkload.Session other = untraced.get().session()) {
                    for (int round = 0; round < rounds; round++) {
                        runs.addRound(round(one, other, runs.traced().size()));
                    }
                    runs.addFailures(other.end());
                }
            }
            runs.addFailures(one.end());
        }
    }

    private List<Turn> alone(HdfsWorkload.Session session) throws IOException, InterruptedException {
        List<Turn> done = new ArrayList<>();
        for (int turn = 0; turn < rounds * turns; turn++) {
            done.add(session.turn());
        }
        return done;
    }

    private ComparedTurns round(HdfsWorkload.Session one, HdfsWorkload.Session other, int before)
            throws IOException, InterruptedException {
        List<Turn> ofOne = new ArrayList<>();
        List<Turn> ofOther = new ArrayList<>();
        for (int turn = before; turn < before + turns; turn++) {
            if (ComparedTurns.tracedBegins(turn)) {
                ofOne.add(one.turn());
                ofOther.add(other.turn());
            } else {
                ofOther.add(other.turn());
                ofOne.add(one.turn());
            }
        }
        return new ComparedTurns(ofOne, ofOther);
    }
}
