// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Rules;
import io.packing.trace.analysis.SystemFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of the paper beside ours. */
class PaperComparisonTest {
    private static final long START = 1_700_000_000_000_000_000L;

    @TempDir
    private Path temp;

    private long stream;

    /** A task that opens {@code files} files, reads 1,000 bytes of each and writes 10 to each. */
    private void record(String task, int files) throws IOException {
        Path traces = Files.createDirectories(temp.resolve("traces"));
        try (TraceFileWriter writer =
                TraceFileWriter.create(traces.resolve(task + ".htfs"), TraceFileWriter.FileOptions.ofVersion(2))) {
            for (int i = 0; i < files; i++) {
                stream++;
                for (Call call : List.of(Call.SYS_OPENAT, Call.SYS_READ, Call.SYS_WRITE, Call.SYS_CLOSE)) {
                    long bytes = call == Call.SYS_READ ? 1_000 : 10;
                    TraceEventBuilder event = new TraceEventBuilder(call)
                                    .origin(new TraceOrigin("desk", 7, "app"))
                                    .at(START + stream, stream)
                                    .caller("7", "", task)
                                    .stream(stream)
                                    .path("/f" + i)
                                    .fileSize(2_000);
                    writer.write((call.reads() || call.writes()
                                    ? event.range(0, bytes).result(bytes)
                                    : event)
                            .build());
                }
            }
        }
    }

    private Analysis.Results analyze() throws IOException, InterruptedException {
        return new Analysis(
                        Rules.hbase(),
                        List.of(temp.resolve("traces").toUri().toString()),
                        temp.resolve("work").toUri().toString(),
                        Optional.empty(),
                        1)
                .runAll((number, of, what) -> {});
    }

    private static Statement statement(PaperComparison comparison, String text) {
        return comparison.statements().stream()
                .filter(statement -> statement.text().equals(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void statementsCountTheTasksThatTheyHoldFor() throws IOException, InterruptedException {
        record("writer-doc", 120);
        record("calc-xls", 2);
        record("photo-edit", 3);
        SystemFindings findings = analyze().system().orElseThrow();
        PaperComparison comparison = PaperComparison.of(findings, TaskSuite.ofProgram());
        Statement files = statement(comparison, "access a hundred files or more");
        assertThat(List.of(files.here(), files.of())).containsExactly(1L, 3L);
        assertThat(files.median()).contains(3.0);
        Statement reads = statement(comparison, "read more than they write");
        assertThat(List.of(reads.here(), reads.of())).containsExactly(3L, 3L);
        assertThat(reads.median().orElseThrow()).isCloseTo(100 * 1_000 / 1_010.0, within(0.001));
        Statement again = statement(comparison, "overwrite more than a tenth of what they write");
        assertThat(List.of(again.here(), again.of())).containsExactly(3L, 3L);
        Statement locks = statement(comparison, "use no file locks");
        assertThat(List.of(locks.here(), locks.of())).containsExactly(3L, 3L);
        PaperComparison.Difference doc = comparison.differences().stream()
                .filter(task -> task.task().equals("writer-doc"))
                .findFirst()
                .orElseThrow();
        assertThat(doc.paperTask()).isEqualTo("Pages DOC");
        assertThat(doc.how()).startsWith("0.23 times the MB of files, 0.12 times the MB moved.");
    }

    @Test
    void theSentenceOnADifferenceIsChosenByTheCount() {
        Config fewer = ConfigFactory.parseString("there = [50, 60], side = fewer, why = \"Tools differ.\"");
        assertThat(Statement.why(fewer, 1, 10)).isEqualTo("Tools differ.");
        assertThat(Statement.why(fewer, 5, 10)).isEqualTo("As on the Mac.");
        assertThat(Statement.why(fewer, 9, 10))
                .isEqualTo("More tasks than on the Mac, 90 % and not 50 to 60 %; no reason is known.");
        Config alike = ConfigFactory.parseString("there = [100, 100], why = \"As on the Mac, for once.\"");
        assertThat(Statement.why(alike, 10, 10)).isEqualTo("As on the Mac, for once.");
        assertThat(Statement.why(alike, 1, 2))
                .isEqualTo("Fewer tasks than on the Mac, 50 % and not 100 %; no reason is known.");
        assertThat(Statement.why(alike, 0, 0)).isEqualTo("No task has any.");
    }

    @Test
    void theCaseStudyIsOfTheTaskThatStandsForIt() throws IOException, InterruptedException {
        record("writer-doc-images", 4);
        SystemFindings findings = analyze().system().orElseThrow();
        List<CaseNumber> numbers =
                PaperComparison.of(findings, TaskSuite.ofProgram()).caseStudy();
        assertThat(numbers.get(0)).satisfies(files -> {
            assertThat(files.paperTask()).isEqualTo("Pages DOCP");
            assertThat(List.of(files.here(), files.paper())).containsExactly(4.0, 385.0);
        });
        assertThat(numbers.get(numbers.size() - 1).here()).isEqualTo(1);
    }

    /** A group that no figure has would count as 0, in silence. */
    @Test
    void everyGroupOfAStatementIsAColumnOfItsFigure() throws IOException, InterruptedException {
        record("writer-doc", 1);
        Path figures = AnalysisReport.write(analyze(), temp.resolve("report")).resolveSibling("figures");
        for (Config statement :
                ConfigFactory.parseResources(Statement.class, "statements.conf").getConfigList("statements")) {
            String figure = statement.getString("figure");
            if (figure.startsWith("Table")) {
                continue;
            }
            String header = Files.readAllLines(figures.resolve("figure-" + figure + ".csv"))
                    .get(0)
                    .replace("\"", "");
            for (String group : statement.getStringList("part")) {
                assertThat("," + header + ",").as(figure).contains("," + group + ",");
            }
            if (statement.hasPath("whole") && !statement.hasPath("whole-figure")) {
                for (String group : statement.getStringList("whole")) {
                    assertThat("," + header + ",").as(figure).contains("," + group + ",");
                }
            }
        }
    }
}
