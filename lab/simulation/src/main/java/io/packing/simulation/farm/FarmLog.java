// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/** The log of the schedules that were played, a row for each run of the farm. */
final class FarmLog {
    private static final String HEAD =
            "reported,commit,operations,first_seed,last_seed,schedules,core_hours,cpu_hours,unsound,note";

    private static final int COMMIT = 1;
    private static final int LAST_SEED = 4;
    private static final int SCHEDULES = 5;
    private static final int CORE_HOURS = 6;

    /**
     * A run of the farm.
     *
     * @param reported the day
     * @param commit of the classes that were played
     * @param schedules the seeds that were played, from the first to the last one
     * @param coreHours the time of all processes together
     * @param cpuHours their processor time
     * @param unsound the seeds that failed
     */
    record Run(
            String reported,
            String commit,
            int operations,
            long firstSeed,
            long lastSeed,
            long schedules,
            double coreHours,
            double cpuHours,
            List<Long> unsound,
            String note) {
        private String row() {
            return String.format(
                    Locale.ROOT,
                    "%s,%s,%d,%d,%d,%d,%.3f,%.3f,%s,\"%s\"",
                    reported,
                    commit,
                    operations,
                    firstSeed,
                    lastSeed,
                    schedules,
                    coreHours,
                    cpuHours,
                    String.join(
                            " ",
                            unsound.stream().map(seed -> Long.toString(seed)).toList()),
                    note.replace('"', '\''));
        }
    }

    /**
     * The sums of a log.
     *
     * @param ofCommit the schedules of one commit
     * @param nextSeed behind all seeds of the log
     */
    record Sums(long schedules, double coreHours, long ofCommit, long nextSeed) {}

    private final Path file;

    FarmLog(Path file) {
        this.file = file;
    }

    /** Appends a run; makes the log if there is none. */
    void append(Run run) throws IOException {
        if (Files.notExists(file)) {
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Path unused = Files.createDirectories(parent);
            }
            Path unused = Files.writeString(file, HEAD + "\n");
        }
        Path unused = Files.writeString(file, run.row() + "\n", StandardOpenOption.APPEND);
    }

    /** Returns the sums of all runs, and of those of one commit. */
    Sums sums(String commit) throws IOException {
        long schedules = 0;
        double hours = 0;
        long ofCommit = 0;
        long next = 1;
        if (Files.exists(file)) {
            List<String> lines = Files.readAllLines(file);
            for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
                // The fields before the note have no commas.
                String[] fields = line.split(",", -1);
                if (fields.length <= CORE_HOURS) {
                    throw new IOException("%s has the row '%s', wants the fields %s".formatted(file, line, HEAD));
                }
                long played = Long.parseLong(fields[SCHEDULES]);
                schedules += played;
                hours += fields[CORE_HOURS].isEmpty() ? 0 : Double.parseDouble(fields[CORE_HOURS]);
                ofCommit += fields[COMMIT].equals(commit) ? played : 0;
                next = Math.max(next, Long.parseLong(fields[LAST_SEED]) + 1);
            }
        }
        return new Sums(schedules, hours, ofCommit, next);
    }
}
