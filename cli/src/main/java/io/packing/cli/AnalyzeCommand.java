// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.typesafe.config.ConfigFactory;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Findings;
import io.packing.trace.analysis.InputReport;
import io.packing.trace.analysis.Rules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The analyses of Facebook Messages (§3.3) and of desktop applications (chapter 2), on any trace. */
@Command(
        name = "analyze",
        description = {
            "Analyzes traces with MapReduce jobs, here or on a cluster: those of HDFS clients as section 3.3 of "
                    + "Harter's thesis, system calls as its chapter 2.",
            "Writes an HTML report, figures as PNG and SVG, numbers as CSV and JSON."
        })
final class AnalyzeCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Mixin
    private TraceSelectionOptions selection = new TraceSelectionOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "TRACE",
            arity = "1..*",
            description = "Trace files, or directories of *.htfs files; of any file system that Hadoop knows.")
    private List<String> traces = List.of();

    @Option(names = "--out", required = true, description = "Directory for the report; made when missing.")
    private Path out = Path.of(".");

    @Option(
            names = "--rules",
            description = "What the application's files and threads are (default: HBase's, conf/trace/hbase.conf).")
    private Optional<Path> rules = Optional.empty();

    @Option(
            names = "--hadoop-conf-dir",
            description = "A directory with core-site.xml, mapred-site.xml, yarn-site.xml and similar files.")
    private Optional<Path> hadoopConf = Optional.empty();

    @Option(
            names = "--work",
            description =
                    "A directory for what one job leaves to the next; a new one is made in it (default: in --out).")
    private Optional<String> work = Optional.empty();

    @Option(
            names = "--parallelism",
            defaultValue = "0",
            description = "Tasks at the same time in this process, and reducers (default: 0, one per core).")
    private int parallelism;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Rules chosen = rules();
        Files.createDirectories(out);
        int tasks = parallelism > 0 ? parallelism : Runtime.getRuntime().availableProcessors();
        String scratch = work.orElseGet(() -> out.toUri().toString());
        Analysis.Results results =
                new Analysis(chosen, traces, selection.selection(), scratch, hadoopConf, tasks).runAll(this::stage);
        Path html = AnalysisReport.write(results, out);
        report.print(json(results, html), text -> print(text, results, html));
        return results.input().isWhole() ? ExitCodes.OK : ExitCodes.CORRUPT;
    }

    private Rules rules() throws IOException {
        if (rules.isEmpty()) {
            return Rules.hbase();
        }
        if (!Files.isRegularFile(rules.get())) {
            throw new NoSuchFileException(rules.get().toString());
        }
        return Rules.from(ConfigFactory.parseFile(rules.get().toFile()));
    }

    private void stage(int number, int of, String what) {
        if (spec != null) {
            PrintWriter err = spec.commandLine().getErr();
            err.printf("packing: job %d of %d: %s%n", number, of, what);
            err.flush();
        }
    }

    private static Map<String, Object> json(Analysis.Results results, Path html) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("input", results.input());
        results.hdfs().ifPresent(findings -> {
            json.put("core_io", findings.coreIo());
            json.put("all_io", findings.allIo());
            json.put("io_by_cause", findings.ioByCause());
            json.put("files", findings.filesSeen());
        });
        results.system().ifPresent(findings -> {
            json.put("system_calls", findings.events());
            json.put("unseen", findings.unseen());
        });
        json.put("tables", AnalysisReport.tables(results));
        json.put("report", html.toAbsolutePath().toString());
        return json;
    }

    private static void print(PrintWriter text, Analysis.Results results, Path html) {
        results.system()
                .ifPresent(findings -> text.printf(
                        Locale.ROOT,
                        "%,d system calls of %,d trace files%n",
                        findings.events(),
                        findings.input().files()));
        results.hdfs().ifPresent(findings -> printHdfs(text, findings));
        printDamage(text, results.input());
        text.println();
        text.println(html.toAbsolutePath());
    }

    private static void printHdfs(PrintWriter text, Findings findings) {
        text.printf(
                Locale.ROOT,
                "%,d events of %,d trace files, %,d files%n%n",
                findings.input().events(),
                findings.input().files(),
                findings.filesSeen());
        text.printf("%-14s %18s %18s%n", "cause", "read", "written");
        findings.ioByCause()
                .forEach(
                        (cause, io) -> text.printf(Locale.ROOT, "%-14s %,18d %,18d%n", cause, io.read(), io.written()));
    }

    private static void printDamage(PrintWriter text, InputReport input) {
        if (!input.isWhole()) {
            text.printf(
                    Locale.ROOT,
                    "%nnot read: %,d damaged blocks (%,d events), %,d bytes, %,d torn files%n",
                    input.damagedBlocks(),
                    input.lostEvents(),
                    input.skippedBytes(),
                    input.tornFiles());
            input.unreadable().forEach(reason -> text.println("not read at all: " + reason));
        }
        if (input.unknownCalls() > 0) {
            text.printf(Locale.ROOT, "%n%,d events of calls that this version does not know%n", input.unknownCalls());
        }
    }
}
