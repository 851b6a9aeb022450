// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.Call;
import io.packing.trace.TraceFilter;
import io.packing.trace.TraceSelection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The part of a trace that a command works on. */
final class TraceSelectionOptions {
    private static final long SECOND = 1_000_000_000L;

    @Option(
            names = "--call",
            split = ",",
            paramLabel = "CALL",
            description = "Only these calls, by the names that cat prints.")
    private List<String> calls = List.of();

    @Option(
            names = "--under",
            split = ",",
            paramLabel = "PATH",
            description = "Only calls on these directories or files, and on what is below them.")
    private List<String> under = List.of();

    @Option(
            names = "--not-under",
            split = ",",
            paramLabel = "PATH",
            description = "No calls on these directories or files, nor on what is below them.")
    private List<String> notUnder = List.of();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only calls that started at this time or later, such as 2026-11-21T14:00:00Z.")
    private Optional<Instant> since = Optional.empty();

    @Option(names = "--until", paramLabel = "TIME", description = "Only calls that started before this time.")
    private Optional<Instant> until = Optional.empty();

    /**
     * Returns the selection from the options.
     *
     * @throws IllegalArgumentException naming a call that there is not, or times between which there is nothing
     */
    TraceSelection selection() {
        TraceFilter filter = new TraceFilter(
                calls.stream().map(TraceSelectionOptions::call).collect(Collectors.toUnmodifiableSet()),
                under,
                notUnder,
                1);
        return new TraceSelection(
                filter,
                since.map(TraceSelectionOptions::nanos).orElse(TraceSelection.ALL.sinceNanos()),
                until.map(TraceSelectionOptions::nanos).orElse(TraceSelection.ALL.untilNanos()));
    }

    private static Call call(String label) {
        return Call.ofLabel(label)
                .orElseThrow(() -> new IllegalArgumentException(
                        "--call: no call is named '%s'; names are such as open, pread, write".formatted(label)));
    }

    private static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), SECOND), time.getNano());
    }
}
