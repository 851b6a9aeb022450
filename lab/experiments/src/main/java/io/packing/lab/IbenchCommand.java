// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.ibench.ComparisonPage;
import io.packing.lab.ibench.PaperComparison;
import io.packing.lab.ibench.RecordedTasks;
import io.packing.lab.ibench.Statement;
import io.packing.lab.ibench.TaskRunner;
import io.packing.lab.ibench.TaskSize;
import io.packing.lab.ibench.TaskSuite;
import io.packing.lab.ibench.UserTask;
import io.packing.rig.Checkout;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Rules;
import io.packing.trace.syscalls.KernelRecorder;
import io.packing.trace.syscalls.StraceRecorder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The tasks of iBench (Harter's thesis, chapter 2), on Linux. */
@Command(
        name = "ibench",
        description = {
            "Records desktop tasks that stand for the 34 of iBench, analyzes them and compares them with the paper.",
            "With --recorded it takes the recordings that come with the program, and needs nothing installed."
        })
final class IbenchCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Option(names = "--out", required = true, description = "Directory for traces and reports; made when missing.")
    private Path out = Path.of(".");

    @Option(names = "--task", description = "Only this task; may be given more than once (default: all).")
    private List<String> tasks = List.of();

    @Option(names = "--recorded", description = "Take the recordings that come with the program.")
    private boolean recorded;

    @Option(names = "--install", description = "Install missing programs by apt-get; needs root.")
    private boolean install;

    @Option(
            names = "--inputs",
            defaultValue = "small",
            description =
                    "Size of photos, songs and movie: small, or paper as in the paper (default: ${DEFAULT-VALUE}).")
    private String size = "";

    @Option(names = "--photos", description = "Photos of the photo tasks (default: as the size has).")
    private Optional<Integer> photos = Optional.empty();

    @Option(
            names = "--stacks",
            description = "Record which functions made each call, for Figures 2.25 and 2.28: much slower.")
    private boolean stacks;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (photos.orElse(1) < 1) {
            throw new IllegalArgumentException("--photos: at least 1");
        }
        Narrator narrator = new Narrator(report.isJson());
        TaskSuite suite = TaskSuite.ofProgram().only(tasks);
        Files.createDirectories(out);
        Path traces = recorded ? copy(suite) : record(suite, narrator);
        Path analysis = out.resolve("analysis");
        Files.createDirectories(analysis);
        Analysis.Results results = new Analysis(
                        Rules.hbase(),
                        List.of(traces.toUri().toString()),
                        analysis.toUri().toString(),
                        Optional.empty(),
                        Runtime.getRuntime().availableProcessors())
                .runAll((number, of, what) -> narrator.accept("job %d of %d: %s".formatted(number, of, what)));
        Path html = AnalysisReport.write(results, analysis);
        PaperComparison comparison = PaperComparison.of(results.system().orElseThrow(), suite);
        Path page = ComparisonPage.write(comparison, out, html);
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("traces", traces.toAbsolutePath().toString());
        json.put("events", results.system().orElseThrow().events());
        json.put("unseen", results.system().orElseThrow().unseen());
        json.put("tables", tables(results));
        json.put(
                "numbers",
                comparison.numbers().stream().map(IbenchCommand::fields).toList());
        json.put(
                "statements",
                comparison.statements().stream().map(IbenchCommand::fields).toList());
        json.put("suite", comparison.differences());
        json.put("case_study", comparison.caseStudy());
        json.put("report", page.toAbsolutePath().toString());
        report.print(json, text -> print(text, comparison, page, html));
        return results.input().isWhole() ? ExitCodes.OK : ExitCodes.CORRUPT;
    }

    /** The tables of the analysis, behind that of the suite. */
    private static List<AnalysisReport.TableOf> tables(Analysis.Results results) {
        List<AnalysisReport.TableOf> tables = new ArrayList<>();
        tables.add(new AnalysisReport.TableOf("Table 2.1", "suite", "The suite"));
        tables.addAll(AnalysisReport.tables(results));
        return tables;
    }

    private static Map<String, Object> fields(Statement statement) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("figure", statement.figure());
        fields.put("text", statement.text());
        fields.put("paper", statement.paper());
        fields.put("here", statement.here());
        fields.put("of", statement.of());
        statement.median().ifPresent(median -> fields.put("median", median));
        fields.put("why", statement.why());
        return fields;
    }

    private static Map<String, Object> fields(PaperComparison.Compared number) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", number.task());
        fields.put("paper_task", number.paperTask());
        fields.put("column", number.column());
        fields.put("here", number.here());
        number.paper().ifPresent(paper -> fields.put("paper", paper));
        return fields;
    }

    private Path copy(TaskSuite suite) throws IOException {
        Path traces = out.resolve("traces");
        RecordedTasks recordings = new RecordedTasks(Checkout.find().ibench());
        List<String> known = recordings.names();
        for (UserTask task : suite.tasks()) {
            if (!tasks.isEmpty() || known.contains(task.name())) {
                recordings.copy(task.name(), traces);
            }
        }
        return traces;
    }

    private Path record(TaskSuite suite, Narrator narrator) throws IOException, InterruptedException {
        List<String> missing = suite.missingPackages();
        if (!missing.isEmpty()) {
            if (!install) {
                throw new IllegalArgumentException(
                        "programs are missing: install them by --install, or 'apt-get install --no-install-recommends %s'"
                                .formatted(String.join(" ", missing)));
            }
            narrator.accept("install " + String.join(" ", missing));
            TaskSuite.install(missing);
        }
        TaskSize known = TaskSize.named(size);
        Optional<String> obstacle = stacks ? Optional.of("only strace records stacks") : KernelRecorder.obstacle();
        if (obstacle.isPresent()) {
            narrator.accept("record by strace, without page faults and processor time: " + obstacle.get());
            StraceRecorder.requireInstalled();
        }
        TaskRunner runner =
                new TaskRunner(out, photos.map(known::with).orElse(known), stacks, obstacle.isEmpty(), narrator);
        runner.prepare(suite);
        for (UserTask task : suite.tasks()) {
            runner.record(task, "desk");
        }
        return runner.traces();
    }

    private static void print(PrintWriter text, PaperComparison comparison, Path page, Path html) {
        for (Statement statement : comparison.statements()) {
            text.printf(
                    Locale.ROOT,
                    "%2d of %2d tasks %s; the paper: %s%n",
                    statement.here(),
                    statement.of(),
                    statement.text(),
                    statement.paper());
        }
        text.println();
        text.println(page.toAbsolutePath());
        text.println(html.toAbsolutePath());
    }
}
