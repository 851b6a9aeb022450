// SPDX-License-Identifier: Apache-2.0
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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The programs of workload.py under the recorder, and the kernel's counts of them. */
final class Workload {
    /** The exit code of a program that this machine cannot run. */
    private static final int CANNOT = 77;

    private static final Set<Call> COPIES = Set.of(Call.SYS_COPY_FILE_RANGE, Call.SYS_COPY_FILE_RANGE_TO);

    private final Path program;
    private final Path directory;
    private final Path trace;

    private Workload(Path program, Path directory, Path trace) {
        this.program = program;
        this.directory = directory;
        this.trace = trace;
    }

    /**
     * Makes a workload below a directory. Without strace or Python it skips the test, and names the package to install.
     */
    static Workload in(Path temp) throws IOException, InterruptedException {
        assumeTrue(StraceRecorder.isInstalled(), "strace is missing: apt-get install strace");
        assumeTrue(runs("python3", "-c", "import mmap, threading"), "python3 is missing: apt-get install python3");
        assumeTrue(runs("strace", "-o", "/dev/null", "true"), "strace may not trace here: allow ptrace");
        Path program = temp.resolve("workload.py");
        try (InputStream source = Objects.requireNonNull(Workload.class.getResourceAsStream("/workload.py"))) {
            Files.copy(source, program);
        }
        Path directory = Files.createDirectory(temp.resolve("work")).toRealPath();
        return new Workload(program, directory, temp.resolve("trace.htfs"));
    }

    static boolean runs(String... command) throws IOException, InterruptedException {
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

    /** Returns the directory of the programs' files. */
    Path directory() {
        return directory;
    }

    /**
     * A recorded run.
     *
     * @param kernel the kernel's counts of the run: bytes read and written, calls that read and wrote
     */
    record Run(List<TraceEvent> events, StraceRecorder.Outcome outcome, List<Long> kernel) {
        long bytes(String path, Predicate<Call> kind) {
            return events.stream()
                    .filter(event -> event.path().equals(path) && kind.test(event.call()))
                    .mapToLong(TraceEvent::bytes)
                    .sum();
        }

        /** Returns bytes and calls between the two reads of the kernel's counters, by the process that read them. */
        List<Long> recorded() {
            List<Integer> looks = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                boolean look = events.get(i).path().matches("/proc/[0-9]+/io");
                if (look && events.get(i).call() == Call.SYS_READ) {
                    looks.add(i);
                }
            }
            assertThat(looks).hasSize(2);
            long pid = events.get(looks.get(0)).origin().pid();
            return sums(events.subList(looks.get(0), looks.get(1)).stream()
                    .filter(event -> event.origin().pid() == pid)
                    .toList());
        }

        /**
         * Sums the bytes and calls that the kernel counts: without calls on unknown descriptors, and without copies at
         * the end of their source.
         */
        static List<Long> sums(List<TraceEvent> events) {
            List<TraceEvent> counted = events.stream()
                    .filter(event -> !event.error().equals("EBADF"))
                    .filter(event -> !COPIES.contains(event.call()) || event.bytes() > 0)
                    .toList();
            return List.of(
                    bytes(counted, Call::reads),
                    bytes(counted, Call::writes),
                    calls(counted, Call::reads),
                    calls(counted, Call::writes));
        }

        private static long bytes(List<TraceEvent> events, Predicate<Call> kind) {
            return events.stream()
                    .filter(event -> kind.test(event.call()))
                    .mapToLong(TraceEvent::bytes)
                    .sum();
        }

        private static long calls(List<TraceEvent> events, Predicate<Call> kind) {
            return events.stream().filter(event -> kind.test(event.call())).count();
        }
    }

    Run record(String name, String... arguments) throws IOException, InterruptedException {
        return record(true, name, arguments);
    }

    /** @param filter whether the kernel skips calls that no trace needs */
    Run record(boolean filter, String name, String... arguments) throws IOException, InterruptedException {
        return record(filter, StraceRecorder::record, name, arguments);
    }

    /** Records by programs in the kernel. */
    Run recordInKernel(String name, String... arguments) throws IOException, InterruptedException {
        return record(true, KernelRecorder::record, name, arguments);
    }

    /** A recorder under test. */
    interface Recorder {
        StraceRecorder.Outcome record(StraceRecorder.Request request, TraceFileWriter out)
                throws IOException, InterruptedException;
    }

    Run record(boolean filter, Recorder recorder, String name, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", program.toString(), name, directory.toString()));
        command.addAll(List.of(arguments));
        Files.deleteIfExists(trace);
        StraceRecorder.Outcome outcome;
        try (TraceFileWriter writer = TraceFileWriter.create(trace, TraceFileWriter.FileOptions.ofVersion(2))) {
            outcome = recorder.record(
                    new StraceRecorder.Request(command, name, "host", List.of(directory), filter, false), writer);
        }
        assumeTrue(outcome.status() != CANNOT, "this kernel or file system cannot do what '" + name + "' needs");
        assertThat(outcome.status()).isZero();
        List<TraceEvent> events = read();
        assertThat(outcome.events()).isEqualTo(events.size());
        String counted = Files.readString(Path.of(directory + "-io"));
        return new Run(
                events,
                outcome,
                Arrays.stream(counted.split(" ", -1)).map(Long::parseLong).toList());
    }

    /** Returns a new trace for a recording that is about to fail. */
    TraceFileWriter writer() throws IOException {
        return TraceFileWriter.create(trace, TraceFileWriter.FileOptions.ofVersion(2));
    }

    private List<TraceEvent> read() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFileReader reader = TraceFileReader.open(trace)) {
            for (Optional<TraceEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                events.add(next.get());
            }
            assertThat(reader.report().isWhole()).isTrue();
        }
        return events;
    }
}
