// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.htfs.TracingFileSystem;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceOrigin;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopReplayTest {
    @TempDir
    private Path temp;

    private final List<Long> waits = new ArrayList<>();

    /** The parts of an event that a replay must keep. */
    private record Kept(Call call, int count, String path, String target, long offset, long length, long result) {
        static Kept of(TraceEvent event, String root) {
            return new Kept(
                    event.call(),
                    event.count(),
                    event.path().replaceFirst("^" + root, ""),
                    event.target().replaceFirst("^" + root, ""),
                    event.offset(),
                    event.length(),
                    event.failed() ? TraceEvent.NONE : event.result());
        }
    }

    private FileSystem traced(Path traces) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", TracingFileSystem.class.getName());
        conf.set("htfs.underlying.file.impl", RawLocalFileSystem.class.getName());
        conf.set("htfs.dir", traces.toString());
        conf.set("htfs.flush.after", "1ms");
        conf.set("htfs.collapse.age", "1h");
        return FileSystem.newInstance(URI.create("file:///"), conf);
    }

    private static FileSystem plain() throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
        return FileSystem.newInstance(URI.create("file:///"), conf);
    }

    /** Reads the trace up to the last call with this name, as soon as the tracer has written it. */
    private static List<TraceEvent> until(String last, Path traces) throws IOException {
        while (true) {
            List<TraceEvent> events = Files.isDirectory(traces) ? read(traces) : List.of();
            if (events.stream().anyMatch(event -> event.path().endsWith(last) && event.call() == Call.MKDIRS)) {
                return events;
            }
            Thread.onSpinWait();
        }
    }

    private static List<TraceEvent> read(Path traces) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(traces))) {
            for (Optional<TraceEvent> next = files.next(); next.isPresent(); next = files.next()) {
                events.add(next.get());
            }
        } catch (IllegalArgumentException e) {
            return List.of();
        }
        // The file system may be closed by now, or not.
        events.removeIf(event -> event.call() == Call.CLOSE_FILE_SYSTEM);
        return events;
    }

    private HadoopReplay replay(FileSystem fs, String root, int threads, double speed) {
        return new HadoopReplay(
                fs, new HadoopReplay.ReplayOptions(root, threads, speed), System::nanoTime, waits::add, events -> {});
    }

    private Path trace(TraceEvent... events) throws IOException {
        Path file = temp.resolve("trace.htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (TraceEvent event : events) {
                writer.write(event);
            }
        }
        return file;
    }

    private static TraceEventBuilder event(Call call, long millis, String path) {
        return new TraceEventBuilder(call)
                .origin(new TraceOrigin("h", 1, ""))
                .at(1_700_000_000_000_000_000L + millis * 1_000_000, millis * 1_000_000)
                .path(path);
    }

    /** Runs an application that reads a log from before the trace. */
    private static void work(FileSystem fs, org.apache.hadoop.fs.Path home) throws IOException {
        org.apache.hadoop.fs.Path log = new org.apache.hadoop.fs.Path(home, "logs/a,1");
        org.apache.hadoop.fs.Path store = new org.apache.hadoop.fs.Path(home, "store/b");
        byte[] bytes = new byte[100_000];
        fs.mkdirs(new org.apache.hadoop.fs.Path(home, "store"));
        try (FSDataOutputStream out = fs.create(log)) {
            for (int i = 0; i < 100; i++) {
                out.write(bytes, 0, 7);
            }
            out.hflush();
            out.write(bytes);
        }
        try (FSDataOutputStream out = fs.append(log)) {
            out.write(bytes, 0, 5_000);
        }
        fs.rename(log, store);
        try (FSDataInputStream in = fs.open(store)) {
            in.read(bytes, 0, 10);
            in.seek(50_000);
            in.readFully(70_000, bytes, 0, 20_000);
            in.read(bytes, 0, 60_000);
        }
        try (FSDataInputStream in = fs.openFile(new org.apache.hadoop.fs.Path(home, "old/c"))
                .build()
                .get()) {
            in.readFully(bytes, 0, 30_000);
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
        try {
            fs.open(new org.apache.hadoop.fs.Path(home, "missing"));
        } catch (FileNotFoundException e) {
            // The trace has this failed call, too.
        }
        fs.getFileStatus(store);
        fs.listStatus(home);
        fs.delete(store, false);
        fs.mkdirs(new org.apache.hadoop.fs.Path(home, "end"));
    }

    @Test
    void theTraceOfAReplayHasTheCallsPathsAndBytesOfTheReplayedTrace() throws Exception {
        Path home = temp.resolve("home");
        Files.createDirectories(home.resolve("old"));
        Files.write(home.resolve("old/c"), new byte[30_000]);
        Path first = temp.resolve("first");
        List<Kept> original;
        try (FileSystem fs = traced(first)) {
            work(fs, new org.apache.hadoop.fs.Path(home.toString()));
            original = until("/end", first).stream()
                    .map(event -> Kept.of(event, "//"))
                    .toList();
        }
        // The first tracer still writes events that do not belong to the replayed trace.
        Path frozen = Files.createDirectory(temp.resolve("frozen"));
        for (Path file : TraceFiles.expand(List.of(first))) {
            Files.copy(file, frozen.resolve(file.getFileName()));
        }
        Path second = temp.resolve("second");
        String root = temp.resolve("again").toString();
        try (FileSystem fs = traced(second)) {
            ReplayReport report = replay(fs, root, 1, 0).run(() -> TraceFiles.open(List.of(frozen)));
            assertThat(report.mismatches()).as("%s", report.examples()).isZero();
            assertThat(report.preparedFiles()).isEqualTo(1);
            assertThat(report.preparedBytes()).isEqualTo(30_000);
            assertThat(report.errors()).as("the open that failed").isEqualTo(1);
        }
        List<Kept> replayed = until("/end", second).stream()
                .map(event -> Kept.of(event, root))
                .toList();
        int prepared = replayed.size() - original.size();
        assertThat(prepared).isPositive();
        assertThat(replayed.subList(prepared, replayed.size())).isEqualTo(original);
    }

    @Test
    void pagesAndWalksOfAListingArePartOfTheCallThatMadeIt() throws Exception {
        Path file = trace(
                event(Call.MKDIRS, 0, "/d/a").result(1).build(),
                event(Call.MKDIRS, 1, "/d/b").result(1).build(),
                event(Call.LIST_STATUS_ITERATOR, 2, "/d").build(),
                event(Call.LIST_STATUS_ITERATOR, 3, "/d").range(0, 1).result(1).build(),
                event(Call.LIST_STATUS_BATCH, 4, "/d")
                        .hints("op=page")
                        .result(1)
                        .build());
        try (FileSystem fs = plain()) {
            ReplayReport report =
                    replay(fs, temp.resolve("root").toString(), 1, 0).run(() -> TraceFiles.open(List.of(file)));
            assertThat(report.events()).isEqualTo(5);
            assertThat(report.calls()).isEqualTo(3);
            assertThat(report.mismatches()).as("%s", report.examples()).isZero();
            assertThat(report.skipped()).isEmpty();
        }
    }

    @Test
    void severalThreadsKeepTheOrderOfEachFile() throws Exception {
        List<TraceEvent> events = new ArrayList<>();
        for (int step = 0; step < 50; step++) {
            for (int file = 0; file < 20; file++) {
                String path = "/d/f" + file;
                if (step == 0) {
                    events.add(event(Call.CREATE, step, path).stream(file).build());
                }
                events.add(event(Call.WRITE, step, path).stream(file)
                        .range(step * 100L, 100)
                        .result(100)
                        .build());
                if (step == 49) {
                    events.add(event(Call.CLOSE_OUTPUT, step, path).stream(file)
                            .result(5_000)
                            .build());
                }
            }
        }
        events.add(event(Call.RENAME, 50, "/d").target("/e").result(1).build());
        for (int file = 0; file < 20; file++) {
            String path = "/e/f" + file;
            events.add(event(Call.OPEN, 51, path).stream(100 + file).build());
            events.add(event(Call.PREAD, 51, path).stream(100 + file)
                    .range(4_000, 1_000)
                    .result(1_000)
                    .build());
            events.add(event(Call.CLOSE_INPUT, 51, path).stream(100 + file).build());
        }
        Path trace = trace(events.toArray(TraceEvent[]::new));
        try (FileSystem fs = plain()) {
            ReplayReport report =
                    replay(fs, temp.resolve("out").toString(), 4, 0).run(() -> TraceFiles.open(List.of(trace)));
            assertThat(report.mismatches()).as("%s", report.examples()).isZero();
            assertThat(report.bytes()).isEqualTo(20 * 5_000 + 20 * 1_000);
            assertThat(report.preparedFiles()).isZero();
        }
        assertThat(temp.resolve("out/e/f7")).hasSize(5_000);
    }

    @Test
    void aFileThatWasRenamedBeforeItWasReadIsMadeUnderItsFirstName() throws Exception {
        Path trace = trace(
                event(Call.RENAME, 0, "/old").target("/new").result(1).build(),
                event(Call.OPEN, 1, "/new/x:y").stream(1).build(),
                event(Call.READ, 2, "/new/x:y").stream(1)
                        .range(500, 300)
                        .result(300)
                        .build(),
                event(Call.CLOSE_INPUT, 3, "/new/x:y").stream(1).build());
        try (FileSystem fs = plain()) {
            ReplayReport report =
                    replay(fs, temp.resolve("out").toString(), 1, 0).run(() -> TraceFiles.open(List.of(trace)));
            assertThat(report.mismatches()).as("%s", report.examples()).isZero();
            assertThat(report.preparedBytes()).isEqualTo(800);
        }
        assertThat(temp.resolve("out/new/x:y")).hasSize(800);
    }

    @Test
    void unknownCallsAreCountedAndOutcomesThatDifferAreNamed() throws Exception {
        Path trace = trace(
                event(Call.UNKNOWN, 0, "/a").build(),
                event(Call.SET_QUOTA, 0, "/a").build(),
                event(Call.EXISTS, 1, "/b").result(0).build(),
                event(Call.CREATE, 2, "/b").stream(1).build(),
                event(Call.DELETE, 3, "/c").result(0).build(),
                event(Call.OPEN, 4, "/b").error("AccessControlException").build());
        try (FileSystem fs = plain()) {
            ReplayReport report =
                    replay(fs, temp.resolve("out").toString(), 2, 0).run(() -> TraceFiles.open(List.of(trace)));
            assertThat(report.events()).isEqualTo(6);
            assertThat(report.skipped()).containsEntry("unknown", 1L).containsEntry("setQuota", 1L);
            assertThat(report.mismatches()).isEqualTo(1);
            assertThat(report.examples()).singleElement().asString().contains("open of /b", "AccessControlException");
        }
    }

    @Test
    void aTimedReplayMakesEachCallAtItsTimeOverTheSpeed() throws Exception {
        Path trace = trace(
                event(Call.EXISTS, 0, "/a").result(0).build(),
                event(Call.EXISTS, 100, "/a").result(0).build(),
                event(Call.EXISTS, 300, "/a").result(0).build());
        try (FileSystem fs = plain()) {
            replay(fs, temp.resolve("out").toString(), 1, 2).run(() -> TraceFiles.open(List.of(trace)));
        }
        assertThat(waits).containsExactly(0L, 50_000_000L, 150_000_000L);
    }

    @Test
    void aDirectoryWithSomethingInItIsNotReplayedInto() throws Exception {
        Path trace = trace(event(Call.EXISTS, 0, "/a").result(0).build());
        Files.createFile(Files.createDirectory(temp.resolve("full")).resolve("precious"));
        try (FileSystem fs = plain()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> replay(fs, temp.resolve("full").toString(), 1, 0)
                            .run(() -> TraceFiles.open(List.of(trace))))
                    .withMessageContaining("is not empty");
        }
    }
}
