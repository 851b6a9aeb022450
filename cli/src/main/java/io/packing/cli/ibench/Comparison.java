package io.packing.cli.ibench;

import io.packing.trace.analysis.SystemFindings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What was found, beside the paper: Table 2.2 number by number, and the statements of §2.10.
 *
 * @param numbers of each task
 * @param statements with a count of tasks for each
 */
public record Comparison(List<Compared> numbers, List<Statement> statements) {
    private static final String TABLE = "table-2.2";
    private static final double MB = 1 << 20;
    private static final double PERCENT = 100;
    private static final int HUNDREDS = 100;
    private static final int FEW_THREADS = 10;

    /**
     * A number of Table 2.2.
     *
     * @param task here
     * @param paperTask there; empty when the paper has none
     * @param here what was found
     * @param paper what the paper has
     */
    public record Compared(String task, String paperTask, String column, double here, Optional<Double> paper) {}

    /**
     * A statement about all tasks.
     *
     * @param paper what the paper says
     * @param here for how many tasks it holds
     * @param of how many
     */
    public record Statement(String text, String paper, long here, long of) {}

    public Comparison {
        numbers = List.copyOf(numbers);
        statements = List.copyOf(statements);
    }

    /** Compares; tasks are told by the names of the suite. */
    public static Comparison of(SystemFindings findings, TaskSuite suite) throws IOException {
        PaperTable table = PaperTable.read();
        Map<String, String> papers =
                suite.tasks().stream().collect(Collectors.toMap(DesktopTask::name, DesktopTask::paper));
        List<Compared> numbers = new ArrayList<>();
        List<String> tasks = new ArrayList<>();
        for (String task : findings.tasks()) {
            tasks.add(task);
            String paper = papers.getOrDefault(task, "");
            List<Double> here = row(findings, task);
            for (int i = 0; i < PaperTable.COLUMNS.size(); i++) {
                int column = i;
                numbers.add(new Compared(
                        task,
                        paper,
                        PaperTable.COLUMNS.get(i),
                        here.get(i),
                        table.of(paper).map(row -> row.get(column))));
            }
        }
        return new Comparison(numbers, statements(findings, tasks, table));
    }

    private static List<Double> row(SystemFindings findings, String task) {
        double read = findings.count(TABLE, task, "read");
        double written = findings.count(TABLE, task, "written");
        double moved = Math.max(1, read + written);
        return List.of(
                (double) findings.count(TABLE, task, "files"),
                findings.count(TABLE, task, "file_bytes") / MB,
                (double) findings.count(TABLE, task, "accesses"),
                (read + written) / MB,
                PERCENT * read / moved,
                PERCENT * written / moved);
    }

    private static List<Statement> statements(SystemFindings findings, List<String> tasks, PaperTable table) {
        long manyFiles =
                table.all().stream().filter(row -> row.get(0) >= HUNDREDS).count();
        long mostlyReads =
                table.all().stream().filter(row -> row.get(4) > PERCENT / 2).count();
        return List.of(
                statement(
                        findings,
                        tasks,
                        "access a hundred files or more",
                        "%d of %d (Table 2.2)".formatted(manyFiles, table.all().size()),
                        (found, task) -> found.count(TABLE, task, "files") >= HUNDREDS),
                statement(
                        findings,
                        tasks,
                        "read more than they write",
                        "%d of %d (Table 2.2)"
                                .formatted(mostlyReads, table.all().size()),
                        (found, task) -> found.count(TABLE, task, "read") > found.count(TABLE, task, "written")),
                statement(
                        findings,
                        tasks,
                        "make more than half of their accesses to files below 4 KB",
                        "all of iWork (§2.5.2)",
                        (found, task) -> share(found, "2.6", task, "<4KB", "<64KB", "<1MB", "<10MB", ">=10MB")),
                statement(
                        findings,
                        tasks,
                        "force the majority of what they write",
                        "the majority of tasks (§2.10)",
                        Comparison::forced),
                statement(
                        findings,
                        tasks,
                        "rename the majority of what they write",
                        "about half (§2.10)",
                        (found, task) -> 2
                                        * (found.count("2.27", task, "rename, same directory")
                                                + found.count("2.27", task, "rename, other directory"))
                                > Math.max(1, found.count(TABLE, task, "written"))),
                statement(
                        findings,
                        tasks,
                        "do all I/O from one thread",
                        "4 of 34 (§2.10)",
                        (found, task) -> found.count("2.31", task, "threads") == 1),
                statement(
                        findings,
                        tasks,
                        "do I/O from fewer than ten threads",
                        "two thirds (§2.10)",
                        (found, task) -> found.count("2.31", task, "threads") < FEW_THREADS));
    }

    private interface Holds {
        boolean of(SystemFindings findings, String task);
    }

    private static Statement statement(
            SystemFindings findings, List<String> tasks, String text, String paper, Holds holds) {
        long here = tasks.stream().filter(task -> holds.of(findings, task)).count();
        return new Statement(text, paper, here, tasks.size());
    }

    /** Whether a group of a figure is more than half of all its groups. */
    private static boolean share(SystemFindings findings, String figure, String task, String group, String... others) {
        long rest = 0;
        for (String other : others) {
            rest += findings.count(figure, task, other);
        }
        return findings.count(figure, task, group) > rest;
    }

    private static boolean forced(SystemFindings findings, String task) {
        long forced = 0;
        for (String by : List.of("fsync", "fdatasync", "sync_file_range", "msync", "sync")) {
            forced += findings.count("2.25", task, by);
        }
        return forced > findings.count("2.25", task, "not forced");
    }
}
