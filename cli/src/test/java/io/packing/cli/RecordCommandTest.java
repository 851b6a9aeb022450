// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.trace.syscalls.KernelRecorder;
import io.packing.trace.syscalls.StraceRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorded command, and what the other trace commands make of its trace. */
class RecordCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEPT = "report";

    @TempDir
    private Path temp;

    private static JsonNode json(String... arguments) throws IOException {
        CommandRun ran = CommandRun.of(arguments);
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        return JSON.readTree(ran.out());
    }

    private Path record(String... options) throws IOException {
        assumeTrue(StraceRecorder.isInstalled(), "strace is missing: apt-get install strace");
        Path tree = Files.createDirectories(temp.resolve("tree"));
        Files.write(tree.resolve("from"), new byte[10_000]);
        Path trace = temp.resolve("copy.htfs");
        List<String> line = new ArrayList<>(List.of("trace", "record", "--json", "-o", trace.toString()));
        line.addAll(List.of(options));
        line.addAll(List.of("--task", "copy", "--tree", tree.toString(), "--", "dd"));
        line.addAll(List.of("if=" + tree.resolve("from"), "of=" + tree.resolve("to"), "bs=3000", "status=none"));
        JsonNode result = json(line.toArray(new String[0]));
        assertThat(result.path("status").asInt()).isZero();
        return trace;
    }

    @Test
    void aCommandIsRecordedInTheKernel() throws IOException {
        Optional<String> obstacle = KernelRecorder.obstacle();
        assumeTrue(obstacle.isEmpty(), () -> "run as root on a kernel with BPF and BTF: " + obstacle.orElse(""));
        Path trace = record("--in-kernel");
        JsonNode summary = json("trace", "summary", "--json", trace.toString());
        assertThat(summary.path("bytes_written").asLong()).isEqualTo(10_000);
        assertThat(summary.path("unseen").asLong()).isZero();
    }

    @Test
    void theOtherCommandsReadARecordedTrace() throws IOException {
        Path trace = record();
        String under = temp.resolve("tree").toRealPath().toString();
        JsonNode summary = json("trace", "summary", "--json", "--under", under, trace.toString());
        assertThat(summary.path("bytes_read").asLong()).isEqualTo(10_000);
        assertThat(summary.path("bytes_written").asLong()).isEqualTo(10_000);
        assertThat(summary.path("events").asLong()).isPositive();
        assertThat(json("trace", "summary", "--json", trace.toString())
                        .path("unseen")
                        .asLong())
                .isZero();
        assertThat(json("trace", "verify", "--json", trace.toString())
                        .path("damaged_blocks")
                        .asLong())
                .isZero();
        CommandRun cat = CommandRun.of("trace", "cat", "--under", under, "--call", "sys_write", trace.toString());
        assertThat(cat.out().lines()).hasSize(4).allMatch(line -> line.contains("sys_write") && line.contains("/to"));
        Path lines = temp.resolve("copy.jsonl");
        json("trace", "convert", "--json", "--to", "jsonl", "--out", lines.toString(), trace.toString());
        assertThat(Files.readString(lines)).contains("\"file_size\":10000", "\"descriptor\":1");
    }

    @Test
    void aRecordingWithStacksTellsWhichProgramAsked() throws IOException {
        assumeTrue(StraceRecorder.isInstalled(), "strace is missing: apt-get install strace");
        Path from = Files.write(temp.resolve("from"), new byte[10_000]);
        Path trace = temp.resolve("stacks.htfs");
        List<String> command = List.of("dd", "if=" + from, "of=" + temp.resolve("to"), "bs=2500", "status=none");
        List<String> record = new ArrayList<>(List.of("trace", "record", "--json", "--stacks", "-o", trace.toString()));
        record.addAll(List.of("--tree", temp.toString(), "--"));
        record.addAll(command);
        json(record.toArray(String[]::new));
        assumeTrue(
                CommandRun.of("trace", "cat", "--call", "stack", trace.toString())
                        .out()
                        .contains("frames="),
                "this strace was built without stacks");
        json("trace", "analyze", "--json", "--out", temp.resolve(KEPT).toString(), trace.toString());
        assertThat(Files.readAllLines(temp.resolve(KEPT).resolve("figures/libraries.csv")))
                .anyMatch(line -> line.matches("dd,[0-9]+,[1-9][0-9]{4},10000"));
    }

    @Test
    void copiesOfARecordedTraceKeepItsCalls() throws IOException {
        Path trace = record();
        long events = json("trace", "summary", "--json", trace.toString())
                .path("events")
                .asLong();
        Path merged = temp.resolve("merged.htfs");
        json("trace", "merge", "--json", "--out", merged.toString(), trace.toString());
        Path key = Files.writeString(temp.resolve("key"), "sixteen bytes or more");
        Path anonymous = temp.resolve("anonymous.htfs");
        json(
                "trace",
                "anonymize",
                "--json",
                "--key-file",
                key.toString(),
                "--out",
                anonymous.toString(),
                merged.toString());
        JsonNode summary = json("trace", "summary", "--json", anonymous.toString());
        assertThat(summary.path("events").asLong()).isEqualTo(events);
        assertThat(CommandRun.of("trace", "cat", anonymous.toString()).out()).doesNotContain("/tree/from");
    }

    @Test
    void systemCallsAreReplayedBelowADirectory() throws IOException {
        Path root = temp.resolve("root");
        JsonNode replayed = json("trace", "replay", "--json", "--root", root.toString(), record().toString());
        Path tree = root.resolve("./" + temp.resolve("tree").toRealPath());
        assertThat(tree.resolve("from")).hasSize(10_000);
        assertThat(tree.resolve("to")).hasSize(10_000);
        assertThat(replayed.path("examples")).isEmpty();
        assertThat(replayed.path("prepared_files").asLong()).isPositive();
    }

    @Test
    void systemCallsAreRefusedOnAFileSystemThatIsNoDirectory() throws IOException {
        CommandRun ran =
                CommandRun.of("trace", "replay", "--fs", "hdfs://127.0.0.1:1", "--root", "/r", record().toString());
        assertThat(ran.exitCode()).isNotZero();
        assertThat(ran.err()).contains("mount the file system");
    }

    @Test
    void theAnalysisNamesEveryTableByItsFigure() throws IOException {
        JsonNode result =
                json("trace", "analyze", "--json", "--out", temp.resolve(KEPT).toString(), record().toString());
        List<String> figures = new ArrayList<>();
        result.path("tables").forEach(table -> figures.add(table.path("figure").asText()));
        assertThat(figures).contains("Table 2.2", "2.1", "2.3", "2.27");
        assertThat(temp.resolve(KEPT).resolve("figures/figure-2.12.csv"))
                .content()
                .contains("copy,");
    }

    @Test
    void aLogOfStraceBecomesATrace() throws IOException {
        Path log = Files.writeString(temp.resolve("log"), """
                5 1700000000.5 openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a> <0.000010>
                5 1700000000.6 read(3</w/a>, ""..., 4096) = 40 <0.000010>
                nonsense
                """);
        Path trace = temp.resolve("log.htfs");
        JsonNode result =
                json("trace", "import", "--json", "--from", "strace", "--out", trace.toString(), log.toString());
        assertThat(result.path("unseen").path("torn-line").asLong()).isEqualTo(1);
        assertThat(json("trace", "summary", "--json", trace.toString())
                        .path("bytes_read")
                        .asLong())
                .isEqualTo(40);
    }

    @Test
    void whatDisturbedARecordingIsToldByItsSummary() throws IOException {
        Path log = Files.writeString(temp.resolve("log"), """
                5 1700000000.5 clone(child_stack=NULL, flags=SIGCHLD) = 6 <0.000010>
                6 1700000000.6 chdir("/a") = 0 <0.000010>
                9 1700000000.7 chdir("/b") = 0 <0.000010>
                5 1600000000.0 clone(child_stack=NULL, flags=SIGCHLD) = 6 <0.000010>
                """);
        Path trace = temp.resolve("log.htfs");
        Map<String, Integer> all = Map.of("clock-step", 1, "reused-pid", 1, "process-without-parent", 1);
        JsonNode imported =
                json("trace", "import", "--json", "--from", "strace", "--out", trace.toString(), log.toString());
        JsonNode summary = json("trace", "summary", "--json", trace.toString());
        assertThat(imported.path("irregular")).isEqualTo(JSON.valueToTree(all));
        assertThat(summary.path("irregular")).isEqualTo(JSON.valueToTree(all));
        assertThat(summary.path("unseen").asLong()).isZero();
        assertThat(CommandRun.of("trace", "summary", trace.toString()).out())
                .contains("1 irregular: clock-step", "1 irregular: reused-pid", "1 irregular: process-without-parent");
    }

    @Test
    void aCommandThatFailsLeavesItsTraceAndIsTold() throws IOException {
        assumeTrue(StraceRecorder.isInstalled(), "strace is missing: apt-get install strace");
        Path trace = temp.resolve("fails.htfs");
        CommandRun ran = CommandRun.of(
                "trace", "record", "-o", trace.toString(), "--tree", temp.toString(), "--", "sh", "-c", "exit 3");
        assertThat(ran.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(ran.err()).contains("the command ended with 3");
        assertThat(json("trace", "verify", "--json", trace.toString())
                        .path("torn")
                        .asBoolean())
                .isFalse();
    }
}
