// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.history;

import io.packing.linear.Finding.Verdict;
import io.packing.simulation.ClusterSchedule;
import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.history.HistoryBreaker.Break;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.ScheduleMask;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Histories of simulated clusters, some of them broken on purpose, and what two checkers say about them. */
final class HistoryCheck {
    /** After the loss of a table, or of files that were not synced, the documentation allows more than a register does. */
    private static final ScheduleMask MASK = new ScheduleMask(
            Set.of(FaultKind.LOST_DIRECTORY, FaultKind.OLDER_DIRECTORY, FaultKind.FORGETFUL),
            ScheduleMask.NONE.mostFaults(),
            ScheduleMask.NONE.clients());

    /**
     * The terms of a check.
     *
     * @param seed of the first schedule, whose histories are taken
     * @param operations of a schedule
     * @param histories in all
     * @param broken those of them that are broken
     */
    record Terms(long seed, int operations, int histories, int broken) {}

    /**
     * The result of a check.
     *
     * @param operations in all histories
     * @param schedules that were played
     * @param foundByOurs broken histories that our checker refused
     * @param foundByPorcupine those that Porcupine refused
     * @param refused names of histories that were not broken and that a checker refused, or did not decide about
     * @param differing names of histories about which the checkers differ
     */
    record Outcome(
            int histories,
            long operations,
            int schedules,
            int broken,
            int foundByOurs,
            int foundByPorcupine,
            List<String> refused,
            List<String> differing) {
        boolean isRight() {
            return refused.isEmpty() && differing.isEmpty() && foundByOurs == broken && foundByPorcupine == broken;
        }

        String json() {
            return ("{\"histories\":%d,\"operations\":%d,\"schedules\":%d,\"broken\":%d,\"found_by_ours\":%d,"
                            + "\"found_by_porcupine\":%d,\"refused\":%d,\"differing\":%d}")
                    .formatted(
                            histories,
                            operations,
                            schedules,
                            broken,
                            foundByOurs,
                            foundByPorcupine,
                            refused.size(),
                            differing.size());
        }
    }

    private final Terms terms;
    private final List<RegisterHistory> histories = new ArrayList<>();
    private final Set<String> broken = new HashSet<>();
    private int schedules;

    private HistoryCheck(Terms terms) {
        this.terms = terms;
    }

    /** Plays schedules until there are enough histories, and breaks some. */
    static HistoryCheck record(Terms terms) throws ReflectiveOperationException, InterruptedException {
        HistoryCheck check = new HistoryCheck(terms);
        check.play();
        check.breakSome();
        return check;
    }

    private void play() throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule();
        ClusterWorkload workload = ClusterWorkload.of(terms.operations())
                .with(terms.operations(), MASK)
                .withRecords();
        while (histories.size() < terms.histories()) {
            Result result = cluster.play(terms.seed() + schedules, workload);
            schedules++;
            if (result.isStuck()) {
                throw new IllegalStateException(
                        "seed %d is stuck; play it by bin/lab simulate".formatted(result.seed()));
            }
            RegisterHistory.of(result.seed(), result.records()).stream()
                    .filter(RegisterHistory::says)
                    .limit(terms.histories() - histories.size())
                    .forEach(histories::add);
        }
    }

    private void breakSome() {
        HistoryBreaker breaker = new HistoryBreaker(new Random(terms.seed()));
        Break[] ways = Break.values();
        int step = Math.max(1, histories.size() / Math.max(1, terms.broken()));
        for (int i = 0; broken.size() < terms.broken(); i++) {
            if (i == histories.size()) {
                throw new IllegalStateException("only %d histories could be broken".formatted(broken.size()));
            }
            // The first round takes every so many-th, later ones those between.
            long at = (long) i * step;
            int place = (int) ((at + at / histories.size()) % histories.size());
            Break how = ways[broken.size() % ways.length];
            RegisterHistory sound = histories.get(place);
            Optional<RegisterHistory> made =
                    broken.contains(sound.name()) ? Optional.empty() : breaker.broken(sound, how);
            if (made.isPresent()) {
                RegisterHistory unused = histories.set(place, made.get());
                boolean unusedAdded = broken.add(made.get().name());
            }
        }
    }

    /** Writes all histories in the common form. */
    void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (RegisterHistory history : histories) {
                out.write(history.json());
                out.newLine();
            }
        }
    }

    /** Asks our checker, and compares it with the verdicts of another one. */
    Outcome compare(Map<String, Verdict> others) {
        List<String> refused = new ArrayList<>();
        List<String> differing = new ArrayList<>();
        int byOurs = 0;
        int byOthers = 0;
        long operations = 0;
        for (RegisterHistory history : histories) {
            operations += history.operations().size();
            Verdict ours = history.verdict();
            Verdict other = others.getOrDefault(history.name(), Verdict.UNDECIDED);
            if (ours != other) {
                differing.add(history.name());
            }
            if (broken.contains(history.name())) {
                byOurs += ours == Verdict.NOT_LINEARIZABLE ? 1 : 0;
                byOthers += other == Verdict.NOT_LINEARIZABLE ? 1 : 0;
            } else if (ours != Verdict.LINEARIZABLE || other != Verdict.LINEARIZABLE) {
                refused.add(history.name());
            }
        }
        return new Outcome(
                histories.size(), operations, schedules, broken.size(), byOurs, byOthers, refused, differing);
    }
}
