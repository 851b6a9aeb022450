// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import io.packing.trace.analysis.SystemFindings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The findings beside the paper's: Table 2.2 number by number, the statements of §2.4 to §2.10, and the suite (Table 2.1) with
 * a sentence on how each task differs.
 *
 * @param numbers of each task
 * @param statements with a count of tasks for each
 * @param differences by task
 * @param caseStudy the numbers of §2.3; empty when its task is not there
 */
public record PaperComparison(
        List<Compared> numbers, List<Statement> statements, List<Difference> differences, List<CaseNumber> caseStudy) {
    private static final String TABLE = "table-2.2";
    private static final double MB = 1 << 20;
    private static final double PERCENT = 100;
    private static final double NANOS = 1e9;
    private static final int READ_COLUMN = PaperTable.COLUMNS.indexOf("read_percent");
    /** Factors and percentages from which on a difference is worth a sentence. */
    private static final double NOTED = 1.5;

    private static final double NOTED_PERCENT = 20;
    private static final double LEAST = 0.01;

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
     * The difference between a task here and in the paper.
     *
     * @param does what it does here
     * @param paperDoes what the paper's Table 2.1 says of its own; empty when the paper has none
     * @param how the numbers differ, and why
     */
    public record Difference(String task, String does, String paperTask, String paperDoes, String how) {}

    public PaperComparison {
        numbers = List.copyOf(numbers);
        statements = List.copyOf(statements);
        differences = List.copyOf(differences);
        caseStudy = List.copyOf(caseStudy);
    }

    /** Compares findings with the paper; the suite's names identify tasks. */
    public static PaperComparison of(SystemFindings findings, TaskSuite suite) throws IOException {
        PaperTable table = PaperTable.read();
        Map<String, UserTask> known = suite.tasks().stream().collect(Collectors.toMap(UserTask::name, task -> task));
        List<Difference> differences = new ArrayList<>();
        List<Compared> numbers = new ArrayList<>();
        List<String> tasks = new ArrayList<>();
        for (String task : findings.tasks()) {
            tasks.add(task);
            Optional<UserTask> ours = Optional.ofNullable(known.get(task));
            String paper = ours.map(UserTask::paper).orElse("");
            List<Double> here = row(findings, task);
            differences.add(new Difference(
                    task,
                    ours.map(UserTask::does).orElse(""),
                    paper,
                    table.description(paper).orElse(""),
                    table.of(paper).map(row -> sentence(task, here, row)).orElse("The paper has none.")));
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
        return new PaperComparison(
                numbers, Statement.all(findings, tasks), differences, CaseNumber.all(findings, tasks));
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
                PERCENT * written / moved,
                rate(findings, task, (double) findings.count(TABLE, task, "accesses")),
                rate(findings, task, (read + written) / MB));
    }

    /** Returns a rate by processor time; 0 in a recording that does not have that. */
    private static double rate(SystemFindings findings, String task, double count) {
        long nanos = findings.count(TABLE, task, "processor_nanos");
        return nanos == 0 ? 0 : count * NANOS / nanos;
    }

    /** A sentence of a task's largest differences from the paper's: files, accesses and bytes. */
    private static String sentence(String task, List<Double> here, List<Double> paper) {
        List<String> parts = new ArrayList<>();
        List<String> names = List.of("files", "MB of files", "accesses", "MB moved");
        for (int i = 0; i < names.size(); i++) {
            double factor = here.get(i) / Math.max(paper.get(i), LEAST);
            if (factor >= NOTED || factor <= 1 / NOTED) {
                parts.add(String.format(Locale.ROOT, "%.2g times the %s", factor, names.get(i)));
            }
        }
        double reads = here.get(READ_COLUMN) - paper.get(READ_COLUMN);
        if (Math.abs(reads) >= NOTED_PERCENT) {
            parts.add(
                    String.format(Locale.ROOT, "%.0f points %s reads", Math.abs(reads), reads > 0 ? "more" : "fewer"));
        }
        String facts = parts.isEmpty() ? "About as the paper's" : String.join(", ", parts);
        return (facts + ". " + Statement.whyOf(task)).strip();
    }
}
