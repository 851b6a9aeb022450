// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import io.packing.trace.syscalls.replay.SystemReplay;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recordings that come with the program. */
class RecordedTasksTest {
    private static final RecordedTasks RECORDED = new RecordedTasks(Path.of("../../conf/ibench"));
    private static final long MOST_BYTES = 4_000_000;

    @TempDir
    private Path temp;

    static Stream<String> tasks() throws IOException {
        return RECORDED.names().stream();
    }

    @Test
    void everyTaskHasARecordingAndAllAreAFewMegabytes() throws IOException {
        assertThat(RECORDED.names())
                .containsExactlyInAnyOrderElementsOf(TaskSuite.ofProgram().tasks().stream()
                        .map(UserTask::name)
                        .toList());
        long bytes = 0;
        for (String task : RECORDED.names()) {
            bytes += Files.size(RECORDED.copy(task, temp));
        }
        assertThat(bytes).isLessThan(MOST_BYTES);
    }

    /** Lengths of files at their last close, by the names that they have at the end; the trace's own, not the replay's. */
    private static Map<String, Long> lengths(Path trace) throws IOException {
        TreeMap<String, Long> lengths = new TreeMap<>();
        try (TraceFiles events = TraceFiles.open(List.of(trace))) {
            for (Optional<TraceEvent> next = events.next(); next.isPresent(); next = events.next()) {
                TraceEvent event = next.get();
                if (event.failed()) {
                    continue;
                }
                switch (event.call()) {
                    case SYS_WRITE, SYS_PWRITE64, SYS_WRITEV, SYS_FTRUNCATE, SYS_COPY_FILE_RANGE_TO, SYS_SENDFILE_TO ->
                        lengths.computeIfPresent(event.path(), (path, length) -> event.fileSize());
                    case SYS_OPENAT, SYS_CREAT -> {
                        if (event.hints().contains("created=true")) {
                            lengths.put(event.path(), 0L);
                        }
                    }
                    case SYS_RENAME, SYS_RENAMEAT, SYS_RENAMEAT2 -> {
                        Long moved = lengths.remove(event.path());
                        lengths.remove(event.target());
                        if (moved != null) {
                            lengths.put(event.target(), moved);
                        }
                        lengths.keySet().removeIf(path -> path.startsWith(event.path() + "/"));
                    }
                    case SYS_UNLINK, SYS_UNLINKAT -> lengths.remove(event.path());
                    default -> {
                        // Changes no length that is known here.
                    }
                }
            }
        }
        lengths.keySet().removeIf(path -> path.startsWith("/dev/") || path.startsWith("/proc/"));
        return lengths;
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void aReplayLeavesTheFilesOfTheTraceAndMakesItsCalls(String task) throws IOException, InterruptedException {
        Path trace = RECORDED.copy(task, temp);
        Path root = temp.resolve("root");
        ReplayReport report =
                new SystemReplay(root, 0, () -> 0, due -> {}, done -> {}).run(() -> TraceFiles.open(List.of(trace)));
        assertThat(report.examples()).isEmpty();
        lengths(trace)
                .forEach((path, length) -> assertThat(root.resolve("." + path))
                        .as(path)
                        .satisfies(file -> assertThat(Files.size(file)).isEqualTo(length)));
        Map<Call, Long> traced = new TreeMap<>();
        Map<Call, Long> bytes = new TreeMap<>();
        try (TraceFiles events = TraceFiles.open(List.of(trace))) {
            for (Optional<TraceEvent> next = events.next(); next.isPresent(); next = events.next()) {
                traced.merge(next.get().call(), 1L, Long::sum);
                bytes.merge(next.get().call(), next.get().bytes(), Long::sum);
            }
        }
        for (ReplayReport.Kind kind : report.byCall()) {
            Call call = Call.ofLabel(kind.call()).orElseThrow();
            long skipped = report.skipped().getOrDefault(kind.call(), 0L);
            assertThat(kind.calls() + skipped).as(kind.call()).isEqualTo(traced.get(call));
            if (skipped == 0) {
                assertThat(kind.bytes()).as(kind.call()).isEqualTo(bytes.get(call));
            }
        }
    }
}
