// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import io.packing.trace.syscalls.replay.SystemReplay;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that a replay of system calls leaves the files of the recorded programs, and only below its root. */
class SystemReplayTest {
    @TempDir
    private Path temp;

    private final List<Long> waits = new ArrayList<>();

    /** A list that is read as a trace. */
    private record Listed(Iterator<TraceEvent> left) implements TraceSource {
        @Override
        public Optional<TraceEvent> next() {
            return left.hasNext() ? Optional.of(left.next()) : Optional.empty();
        }

        @Override
        public void close() {
            // A list needs no close.
        }
    }

    private ReplayReport replay(List<TraceEvent> events, double speed) throws IOException, InterruptedException {
        return new SystemReplay(temp.resolve("root"), speed, () -> 0, waits::add, done -> {})
                .run(() -> new Listed(events.iterator()));
    }

    private ReplayReport replayLog(String... lines) throws IOException, InterruptedException {
        return replay(Logs.read(lines).events(), 0);
    }

    /** Returns the names below a directory: a file with its length, a directory, a link with its target. */
    private static Map<String, String> tree(Path directory) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.toList()) {
                String name = directory.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    Path target =
                            path.resolveSibling(Files.readSymbolicLink(path)).normalize();
                    tree.put(name, "link to " + directory.relativize(target));
                } else {
                    tree.put(name, Files.isDirectory(path) ? "directory" : Long.toString(Files.size(path)));
                }
            }
        }
        return tree;
    }

    private static void makeTree(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("before/deep"));
        Files.createDirectories(directory.resolve("before/empty"));
        Files.write(directory.resolve("before/kept"), new byte[1_234]);
        Files.write(directory.resolve("before/moved"), new byte[10]);
        Files.write(directory.resolve("before/gone"), new byte[20]);
        Files.write(directory.resolve("before/deep/file"), new byte[333]);
        Files.write(directory.resolve("untouched"), new byte[444]);
        Files.createSymbolicLink(directory.resolve("old-link"), Path.of("after/kept"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "threads",
                "duplicates",
                "sendfile",
                "copy_file_range",
                "vectors",
                "forks",
                "names",
                "appends",
                "placed",
                "tree"
            })
    void theTreeIsWhatTheProgramLeftAndSoAreItsCalls(String name) throws IOException, InterruptedException {
        Workload workload = Workload.in(temp);
        makeTree(workload.directory());
        Workload.Run run = workload.record(name);
        ReplayReport report = replay(run.events(), 0);
        // Several threads read from one open file at once: only the kernel knows which of them got which bytes, or the
        // end.
        String raced = "sys_read of " + workload.directory() + "/shared at ";
        assertThat(report.examples()).allMatch(example -> name.equals("threads") && example.startsWith(raced));
        assertThat(tree(temp.resolve("root" + workload.directory()))).isEqualTo(tree(workload.directory()));
        Map<String, Long> calls =
                report.byCall().stream().collect(Collectors.toMap(ReplayReport.Kind::call, ReplayReport.Kind::calls));
        Map<String, Long> bytes =
                report.byCall().stream().collect(Collectors.toMap(ReplayReport.Kind::call, ReplayReport.Kind::bytes));
        List<TraceEvent> below = run.events().stream()
                .filter(event -> event.path().startsWith(workload.directory() + "/"))
                .filter(event -> !event.error().equals("EBADF"))
                .toList();
        for (Call call : List.of(Call.SYS_READ, Call.SYS_WRITE, Call.SYS_PREAD64, Call.SYS_PWRITE64, Call.SYS_RENAME)) {
            List<TraceEvent> of =
                    below.stream().filter(event -> event.call() == call).toList();
            assertThat(calls.getOrDefault(call.label(), 0L)).isGreaterThanOrEqualTo(of.size());
            assertThat(bytes.getOrDefault(call.label(), 0L))
                    .isGreaterThanOrEqualTo(
                            of.stream().mapToLong(TraceEvent::bytes).sum());
        }
        for (ReplayReport.Kind kind : report.byCall()) {
            Call call = Call.ofLabel(kind.call()).orElseThrow();
            long traced =
                    run.events().stream().filter(event -> event.call() == call).count();
            long skipped = report.skipped().getOrDefault(kind.call(), 0L);
            assertThat(kind.calls() + skipped).as(kind.call()).isEqualTo(traced);
        }
    }

    @Test
    void whatTheLogFoundIsMadeFirst() throws IOException, InterruptedException {
        ReplayReport report = replayLog(
                "1 openat(AT_FDCWD</>, \"/w/a\", O_RDONLY) = 3</w/a>",
                "1 read(3</w/a>, \"\"..., 4096) = 700",
                "1 read(3</w/a>, \"\"..., 4096) = 0",
                "1 rename(\"/w\", \"/v\") = 0",
                "1 stat(\"/v/b\", {st_mode=S_IFREG|0644, st_size=90, ...}) = 0",
                "1 unlink(\"/v/c\") = 0",
                "1 stat(\"/none\", 0x1) = -1 ENOENT (No such file or directory)");
        assertThat(report.examples()).isEmpty();
        assertThat(tree(temp.resolve("root")))
                .isEqualTo(Map.of("", "directory", "v", "directory", "v/a", "700", "v/b", "90"));
        assertThat(report.preparedFiles()).isEqualTo(3);
    }

    @Test
    void callsThatEndOtherwiseAreTold() throws IOException, InterruptedException {
        ReplayReport report = replayLog(
                "1 mkdir(\"/w\", 0777) = 0",
                "1 mkdir(\"/w\", 0777) = 0",
                "1 rmdir(\"/w\") = -1 ENOENT (No such file or directory)");
        assertThat(report.mismatches()).isEqualTo(2);
        assertThat(report.examples().get(0)).contains("sys_mkdir of /w", "success", "EEXIST");
        assertThat(report.examples().get(1)).contains("sys_rmdir of /w", "ENOENT", "success");
    }

    @Test
    void noPathLeadsOutOfTheRoot() throws IOException, InterruptedException {
        Path outside = Files.createDirectory(temp.resolve("outside")).toRealPath();
        Files.write(outside.resolve("file"), new byte[5]);
        String up = "../".repeat(40);
        ReplayReport report = replayLog(
                "1 mkdir(\"/w\", 0777) = 0",
                "1 symlink(\"" + outside + "\", \"/w/absolute\") = 0",
                "1 symlink(\"" + up + outside.toString().substring(1) + "\", \"/w/relative\") = 0",
                "1 unlink(\"/w/absolute/file\") = 0",
                "1 unlink(\"/w/relative/file\") = 0",
                "1 unlink(\"/w/" + up + outside.toString().substring(1) + "/file\") = 0",
                "1 mkdir(\"/w/a\", 0777) = 0",
                "1 symlink(\"../../x\", \"/w/a/climbs\") = 0",
                "1 rename(\"/w/a\", \"/a\") = 0",
                "1 openat(AT_FDCWD</>, \"/a/climbs\", O_WRONLY|O_CREAT, 0666) = 3");
        assertThat(outside.resolve("file")).hasSize(5);
        assertThat(temp.resolve("x")).doesNotExist();
        assertThat(report.mismatches()).isPositive();
        try (Stream<Path> present = Files.list(temp)) {
            assertThat(present.map(path -> temp.relativize(path).toString()))
                    .containsExactlyInAnyOrder("outside", "root");
        }
        assertThat(Files.exists(temp.resolve("root/w/relative"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void exchangedNamesAndNamesOfAnyBytesAreKept() throws IOException, InterruptedException {
        ReplayReport report = replayLog(
                "1 openat(AT_FDCWD</>, \"/one\", O_WRONLY|O_CREAT|O_EXCL, 0666) = 3</one>",
                "1 write(3</one>, \"\"..., 10) = 10",
                "1 openat(AT_FDCWD</>, \"/two\\n\\\\\\377\", O_WRONLY|O_CREAT|O_EXCL, 0666) = 4</two\\n\\\\\\377>",
                "1 renameat2(AT_FDCWD</>, \"/one\", AT_FDCWD</>, \"/two\\n\\\\\\377\", RENAME_EXCHANGE) = 0",
                "1 openat(AT_FDCWD</>, \"/proc/self/maps\", O_RDONLY) = 5</proc/1/maps>",
                "1 read(5</proc/1/maps>, \"\"..., 10) = 10");
        assertThat(report.examples()).isEmpty();
        assertThat(tree(temp.resolve("root"))).isEqualTo(Map.of("", "directory", "one", "0", "two\n\\\\xff", "10"));
        assertThat(report.skipped()).containsEntry("sys_openat", 1L).containsEntry("sys_read", 1L);
    }

    @Test
    void timedCallsAreMadeAtTheirTimes() throws IOException, InterruptedException {
        List<TraceEvent> events = Logs.read(
                        "1 1700000000.000000000 mkdir(\"/w\", 0777) = 0",
                        "1 1700000000.500000000 mkdir(\"/v\", 0777) = 0")
                .events();
        replay(events, 2);
        assertThat(waits).containsExactly(0L, 250_000_000L);
    }

    @Test
    void aRootWithFilesIsRefused() throws IOException {
        Files.createDirectories(temp.resolve("root/something"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replayLog("1 mkdir(\"/w\", 0777) = 0"))
                .withMessageContaining("is not empty");
    }
}
