// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The parts of a night. */
final class Nightly {
    private Nightly() {}

    /**
     * A command of the night.
     *
     * @param name for {@code --only} and for the file of its output
     * @param words the command line, in the root of the clone
     */
    record Part(String name, List<String> words) {}

    /** The result of a part. */
    record Outcome(String part, @JsonProperty("exit_code") int exitCode, double seconds, List<String> words) {
        boolean passed() {
            return exitCode == 0;
        }

        /** Returns a line for the operator. */
        String line(Path logs) {
            String result =
                    passed() ? "passed" : "FAILED with %d, see %s".formatted(exitCode, logs.resolve(part + ".log"));
            return "%-8s %8.0f s  %s".formatted(part, seconds, result);
        }
    }

    /** A way to run a part; returns its exit code. */
    interface Runner {
        int run(Part part) throws IOException, InterruptedException;
    }

    /**
     * Returns the parts of a night, or those of them that are named.
     *
     * @throws IllegalArgumentException when a name is none of them
     */
    static List<Part> parts(long seed, List<String> only) {
        String number = Long.toString(seed);
        List<Part> all = List.of(
                new Part(
                        "tests",
                        List.of(
                                "mvn",
                                "-B",
                                "-ntp",
                                "-T2",
                                "-b",
                                "smart",
                                "-fae",
                                "verify",
                                "-Dgroups=experiment | hunt",
                                "-Dpacking.excluded.tags=",
                                "-Dpacking.seed=" + number,
                                "-Dpacking.rounds=4",
                                "-Dpacking.model.rounds=200",
                                "-Dpacking.power.lives=5",
                                "-Dpacking.schedules=5000",
                                "-Dpacking.rollback.rounds=70",
                                "-Dpacking.kill.rounds=10",
                                "-Dpacking.layers.random=600",
                                "-Dpacking.commits=100")),
                new Part("chaos", List.of("bin/lab", "chaos", "--rounds", "100", "--seed", number)),
                new Part("masters", List.of("bin/lab", "chaos", "--masters", "3", "--rounds", "50", "--seed", number)),
                new Part("fuse", List.of("bin/lab", "chaos", "fuse", "--rounds", "20", "--seed", number)),
                new Part("fuzz", List.of("bin/lab", "fuzz", "--seconds", "600", "--seed", number)),
                new Part("soak", List.of("bin/lab", "soak", "--hours", "0.25", "--seed", number)),
                // Neighbouring days have no seed in common.
                new Part(
                        "farm",
                        List.of(
                                "bin/lab",
                                "farm",
                                "--hours",
                                "0.5",
                                "--seed",
                                number + "00000",
                                "--log",
                                "target/nightly/simulation.csv")),
                new Part("histories", List.of("bin/lab", "histories", "--seed", number)),
                new Part(
                        "specification",
                        List.of(
                                "bin/lab",
                                "specification",
                                "--size",
                                "MEDIUM",
                                "--schedules",
                                "100",
                                "--seed",
                                number)));
        List<String> names = all.stream().map(Part::name).toList();
        if (!names.containsAll(only)) {
            throw new IllegalArgumentException("--only %s: the parts are %s".formatted(only, names));
        }
        return all.stream()
                .filter(part -> only.isEmpty() || only.contains(part.name()))
                .toList();
    }

    /** Runs the parts in their order. A part that cannot be started has failed, and the next one is run. */
    static List<Outcome> run(List<Part> parts, Runner runner, LongSupplier nanos, Consumer<Outcome> done)
            throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (Part part : parts) {
            long start = nanos.getAsLong();
            int code;
            try {
                code = runner.run(part);
            } catch (IOException e) {
                System.err.println("packing: %s: %s".formatted(part.name(), e.getMessage()));
                code = -1;
            }
            Outcome outcome = new Outcome(part.name(), code, (nanos.getAsLong() - start) / 1e9, part.words());
            outcomes.add(outcome);
            done.accept(outcome);
        }
        return outcomes;
    }

    /** Returns the last line of a night. */
    static String summary(List<Outcome> outcomes) {
        List<String> failed = outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(Outcome::part)
                .toList();
        return failed.isEmpty()
                ? "all %d parts passed".formatted(outcomes.size())
                : "%d of %d parts failed: %s".formatted(failed.size(), outcomes.size(), String.join(", ", failed));
    }
}
