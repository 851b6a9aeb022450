// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.cluster.SharedProcesses;
import io.packing.chaos.cluster.StoreKind;
import io.packing.chaos.model.Violation;
import io.packing.chaos.run.Counts;
import io.packing.chaos.run.Seeds;
import io.packing.s3server.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Rounds on a single master, one after the other, and their result. */
final class Chaos {
    private static final int CLIENTS = 2;
    private static final int TOLD = 10;
    private static final int LOG_LINES = 40;

    private Chaos() {}

    /**
     * The result of all rounds.
     *
     * @param broken rounds that could not be played to their end
     */
    record Result(
            Counts counts,
            List<Violation> violations,
            List<String> failedSeeds,
            int broken,
            String seed,
            double seconds) {
        private static final List<String> FIRST = List.of("rounds", "operations", "files_checked");

        boolean isClean() {
            return violations.isEmpty() && broken == 0;
        }

        private long count(Violation.Kind kind) {
            return violations.stream().filter(each -> each.kind() == kind).count();
        }

        /** Returns the figures under the names that programs read. */
        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            FIRST.forEach(name -> fields.put(name, counts.of(name)));
            fields.put("lost", count(Violation.Kind.LOST));
            fields.put("returned", count(Violation.Kind.RETURNED));
            fields.put("wrong", count(Violation.Kind.WRONG));
            fields.put("recoveries", counts.of("recoveries"));
            fields.put("compactions", counts.of("compactions"));
            fields.put("collections", counts.of("collections"));
            fields.put("broken_rounds", broken);
            fields.put("seed", seed);
            fields.put("failed_round_seeds", failedSeeds);
            fields.put("seconds", Math.round(seconds * 10) / 10.0);
            counts.all().forEach(fields::putIfAbsent);
            return fields;
        }
    }

    /** Plays the rounds. A failed round leaves its files and logs in a folder. */
    static Result run(Path home, int rounds, Seeds seeds, StoreKind store, Consumer<String> progress)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        Counts counts = new Counts();
        List<Violation> violations = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        int broken = 0;
        Files.createDirectories(home);
        try (SharedProcesses bench = SharedProcesses.start(home, CLIENTS, store)) {
            for (int i = 1; i <= rounds; i++) {
                long seed = seeds.next().getAsLong();
                Plan plan = Plan.of(seed);
                String name = "round-%d".formatted(i);
                Path log = home.resolve(name + ".log");
                long began = System.nanoTime();
                try (RoundLog journal = RoundLog.open(log)) {
                    List<Violation> wrong = List.of();
                    Optional<Exception> cut = Optional.empty();
                    try {
                        wrong = Round.run(bench, name, plan, journal, counts);
                    } catch (IOException | RuntimeException e) {
                        // A deliberately broken part may not work any more: that is a finding, too.
                        journal.note("THE ROUND WAS CUT: " + e);
                        wrong = journal.violations();
                        cut = Optional.of(e);
                        broken++;
                    }
                    violations.addAll(wrong);
                    progress.accept("round %d of %d, seed %d, %.1f s: %s%s"
                            .formatted(
                                    i,
                                    rounds,
                                    seed,
                                    (System.nanoTime() - began) / 1e9,
                                    plan,
                                    wrong.isEmpty() && cut.isEmpty() ? "" : " FAILED"));
                    if (!wrong.isEmpty() || cut.isPresent()) {
                        failed.add(Long.toString(seed));
                        tell(log, home.resolve(name), wrong, cut, progress);
                    }
                }
                bench.store().inject(Faults.NONE);
                if (failed.isEmpty() || !failed.get(failed.size() - 1).equals(Long.toString(seed))) {
                    bench.drop(name);
                    Files.deleteIfExists(log);
                }
            }
            counts.add("store_faults", bench.store().injected());
        }
        return new Result(counts, violations, failed, broken, seeds.text(), (System.nanoTime() - start) / 1e9);
    }

    private static void tell(
            Path log, Path kept, List<Violation> wrong, Optional<Exception> cut, Consumer<String> progress)
            throws IOException {
        cut.ifPresent(e -> progress.accept("  cut: " + e));
        wrong.stream().limit(TOLD).forEach(violation -> progress.accept("  " + violation));
        progress.accept("  %d violations; the processes' files and logs are in %s, what happened in %s"
                .formatted(wrong.size(), kept, log));
        if (wrong.isEmpty()) {
            return;
        }
        // The log's lines about the first path often show the cause.
        String path = wrong.get(0).path();
        try (Stream<String> lines = Files.lines(log)) {
            List<String> about = lines.filter(
                            line -> line.contains(path) || line.contains("ACT ") || line.contains("gone"))
                    .toList();
            about.subList(Math.max(0, about.size() - LOG_LINES), about.size())
                    .forEach(line -> progress.accept("    " + line));
        }
    }
}
