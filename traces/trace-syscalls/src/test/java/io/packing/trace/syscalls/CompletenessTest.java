package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import io.packing.trace.TraceFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real programs under strace: what is recorded equals what the kernel counted, or what is known by construction. */
class CompletenessTest {
    @TempDir
    private Path temp;

    private Path program = Path.of("");
    private Path directory = Path.of("");

    /** A recorded run, and what the kernel counted in it: bytes read and written, calls that read and wrote. */
    private record Run(List<TraceEvent> events, StraceRecorder.Outcome outcome, List<Long> kernel) {
        long bytes(String path, Predicate<Call> kind) {
            return events.stream()
                    .filter(event -> event.path().equals(path) && kind.test(event.call()))
                    .mapToLong(TraceEvent::bytes)
                    .sum();
        }
    }

    @BeforeEach
    void needsStraceAndPython() throws IOException, InterruptedException {
        assumeTrue(StraceRecorder.isInstalled(), "strace is missing: apt-get install strace");
        assumeTrue(runs("python3", "-c", "import mmap, threading"), "python3 is missing: apt-get install python3");
        assumeTrue(runs("strace", "-o", "/dev/null", "true"), "strace may not trace here: allow ptrace");
        program = temp.resolve("workload.py");
        try (InputStream source = Objects.requireNonNull(getClass().getResourceAsStream("/workload.py"))) {
            Files.copy(source, program);
        }
        directory = Files.createDirectory(temp.resolve("work")).toRealPath();
    }

    private static boolean runs(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private Run record(String name) throws IOException, InterruptedException {
        return record(name, true);
    }

    private Run record(String name, boolean filter) throws IOException, InterruptedException {
        List<String> command = List.of("python3", program.toString(), name, directory.toString());
        Path file = temp.resolve("trace.htfs");
        StraceRecorder.Outcome outcome;
        try (TraceFileWriter writer = TraceFileWriter.create(file, TraceFileWriter.Settings.ofVersion(2))) {
            outcome = StraceRecorder.record(
                    new StraceRecorder.Request(command, name, "host", List.of(directory), filter), writer);
        }
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            for (Optional<TraceEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                events.add(next.get());
            }
            assertThat(reader.report().isWhole()).isTrue();
        }
        assertThat(outcome.status()).isZero();
        assertThat(outcome.events()).isEqualTo(events.size());
        String counted = Files.readString(Path.of(directory + "-io"));
        return new Run(
                events,
                outcome,
                List.of(counted.split(" ", -1)).stream().map(Long::parseLong).toList());
    }

    /** Bytes and calls between the two looks at the kernel's counters, by the process that looked. */
    private static List<Long> recorded(Run run) {
        List<TraceEvent> events = run.events();
        List<Integer> looks = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            boolean look = events.get(i).path().matches("/proc/[0-9]+/io");
            if (look && events.get(i).call() == Call.SYS_READ) {
                looks.add(i);
            }
        }
        assertThat(looks).hasSize(2);
        long pid = events.get(looks.get(0)).origin().pid();
        List<TraceEvent> between = events.subList(looks.get(0), looks.get(1)).stream()
                .filter(event -> event.origin().pid() == pid)
                .filter(event -> !event.error().equals("EBADF"))
                .toList();
        return List.of(
                between.stream()
                        .filter(e -> e.call().reads())
                        .mapToLong(TraceEvent::bytes)
                        .sum(),
                between.stream()
                        .filter(e -> e.call().writes())
                        .mapToLong(TraceEvent::bytes)
                        .sum(),
                between.stream().filter(e -> e.call().reads()).count(),
                between.stream().filter(e -> e.call().writes()).count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "threads",
                "duplicates",
                "mapped",
                "sendfile",
                "copy_file_range",
                "vectors",
                "failures",
                "names"
            })
    void bytesAndCallsAreThoseThatTheKernelCounted(String name) throws IOException, InterruptedException {
        Run run = record(name);
        assertThat(recorded(run)).isEqualTo(run.kernel());
        run.outcome().unseen().forEach((reason, count) -> assertThat(reason).isEqualTo(Unseen.MAPPED_WRITE));
        assertThat(run.outcome().unseen().isEmpty()).isEqualTo(!name.equals("mapped"));
    }

    @Test
    void theSameIsRecordedWhenEveryCallStops() throws IOException, InterruptedException {
        Run run = record("vectors", false);
        assertThat(recorded(run)).isEqualTo(run.kernel());
    }

    @Test
    void aProcessTreeIsRecordedWithSharedPositions() throws IOException, InterruptedException {
        Run run = record("forks");
        String shared = directory + "/a";
        List<TraceEvent> writes = run.events().stream()
                .filter(event -> event.path().equals(shared) && event.call() == Call.SYS_WRITE)
                .toList();
        assertThat(writes).extracting(TraceEvent::offset).containsExactly(0L, 100L, 150L);
        assertThat(writes).extracting(TraceEvent::fileSize).containsExactly(100L, 150L, 175L);
        Set<Long> pids = new HashSet<>();
        writes.forEach(event -> pids.add(event.origin().pid()));
        assertThat(pids).hasSize(2);
        assertThat(run.bytes(directory + "/child", Call::writes)).isEqualTo(7_000);
        assertThat(run.bytes(directory + "/child", Call::reads)).isEqualTo(7_000);
        assertThat(run.bytes(directory + "/copy", Call::writes)).isEqualTo(7_000);
        assertThat(run.events())
                .filteredOn(event -> event.path().equals(directory + "/copy"))
                .extracting(event -> event.origin().process())
                .contains("cp");
        assertThat(run.outcome().unseen()).isEmpty();
    }

    @Test
    void everyRangeLiesInItsFileAndEverySizeIsTheFilesOwn() throws IOException, InterruptedException {
        Run run = record("threads");
        for (TraceEvent event : run.events()) {
            if (event.path().startsWith(directory.toString()) && event.bytes() > 0) {
                assertThat(event.offset()).isNotNegative();
                assertThat(event.end()).isLessThanOrEqualTo(event.fileSize());
            }
        }
        Map<String, Long> last = new HashMap<>();
        run.events().stream()
                .filter(event -> event.call() == Call.SYS_CLOSE)
                .forEach(event -> last.put(event.path(), event.fileSize()));
        assertThat(last.get(directory + "/t7")).isEqualTo(10_007);
        assertThat(last.get(directory + "/shared")).isEqualTo(64_000);
    }

    @Test
    void namesOfAnyBytesAreRecorded() throws IOException, InterruptedException {
        Run run = record("names");
        assertThat(run.bytes(directory + "/a\\x0ab\\xffé\\x5c", Call::writes)).isEqualTo(10);
        assertThat(run.bytes(directory + "/plain", Call::reads)).isEqualTo(10);
    }

    @Test
    void sizesFromBeforeTheRecordingAreKnown() throws IOException, InterruptedException {
        Files.write(directory.resolve("a"), new byte[5_000]);
        Run run = record("duplicates");
        List<TraceEvent> writes = run.events().stream()
                .filter(event -> event.path().equals(directory + "/a") && event.call() == Call.SYS_WRITE)
                .toList();
        assertThat(writes).extracting(TraceEvent::offset).containsExactly(5_000L, 6_000L, 7_000L);
        assertThat(run.events())
                .filteredOn(
                        event -> event.call() == Call.SNAPSHOT && event.path().equals(directory + "/a"))
                .singleElement()
                .satisfies(note -> assertThat(note.fileSize()).isEqualTo(5_000));
    }
}
