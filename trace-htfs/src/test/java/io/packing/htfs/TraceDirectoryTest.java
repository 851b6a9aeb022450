// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that troubles of the trace directory do not reach the traced process. */
class TraceDirectoryTest {
    @TempDir
    private Path temp;

    private Path traces() {
        return temp.resolve("traces");
    }

    private FileSystem traced(String... more) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", TracingFileSystem.class.getName());
        conf.set("htfs.underlying.file.impl", RawLocalFileSystem.class.getName());
        conf.set("htfs.dir", traces().toString());
        conf.set("htfs.flush.after", "1ms");
        for (int i = 0; i < more.length; i += 2) {
            conf.set(more[i], more[i + 1]);
        }
        return FileSystem.newInstance(URI.create("file:///"), conf);
    }

    @AfterEach
    void stopTracing() {
        ProcessTracer.finish(traces());
    }

    private record Read(List<TraceEvent> events, TraceReport report) {}

    private Read read() throws IOException {
        ProcessTracer.finish(traces());
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(traces()))) {
            for (Optional<TraceEvent> next = files.next(); next.isPresent(); next = files.next()) {
                events.add(next.get());
            }
            return new Read(events, files.report());
        }
    }

    private void makeDirectories(FileSystem fs, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(fs.mkdirs(new org.apache.hadoop.fs.Path(temp + "/home/d" + i)))
                    .isTrue();
        }
    }

    @Test
    void aDirectoryThatVanishesAgainAndAgainCostsCountedEventsAndNoCall() throws IOException {
        try (FileSystem fs = traced()) {
            for (int round = 0; round < 20; round++) {
                makeDirectories(fs, 50);
                if (round % 5 == 4 && Files.exists(traces())) {
                    remove(traces());
                }
            }
        }
        Read read = read();
        // Closing the file system may be an event, too.
        assertThat(read.events().size() + read.report().dropped()).isBetween(1_000L, 1_001L);
        assertThat(read.report().isWhole()).isTrue();
    }

    /** Removes a directory as a user's cleanup does: files may appear meanwhile. */
    private static void remove(Path directory) throws IOException {
        try (Stream<Path> below = Files.walk(directory)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                if (!path.equals(directory)) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    @Test
    void aPlaceThatIsNoDirectoryCostsCountedEventsUntilItIsOne() throws IOException {
        Files.writeString(traces(), "a file stands where the directory should be");
        long made = 100;
        try (FileSystem fs = traced()) {
            makeDirectories(fs, 100);
            Files.delete(traces());
            // The loop goes on until the tracer tries again, which it does now and then.
            while (!Files.isDirectory(traces()) && made < 1_000_000) {
                makeDirectories(fs, 100);
                made += 100;
            }
            makeDirectories(fs, 100);
            made += 100;
        }
        Read read = read();
        long kept = read.events().stream()
                .filter(event -> event.call() == Call.MKDIRS)
                .count();
        assertThat(kept).isPositive();
        assertThat(read.events().size() + read.report().dropped()).isBetween(made, made + 1);
    }

    @Test
    void filesEndAtTheConfiguredSizeAndOnlyWhatIsAskedForIsTraced() throws IOException {
        try (FileSystem fs = traced("htfs.rotate.bytes", "1", "htfs.filter.calls", "mkdirs", "htfs.sample", "0.5")) {
            for (int round = 0; round < 40; round++) {
                makeDirectories(fs, 50);
            }
        }
        Read read = read();
        assertThat(read.events()).allMatch(event -> event.call() == Call.MKDIRS);
        long paths = read.events().stream().map(TraceEvent::path).distinct().count();
        assertThat(paths).isBetween(10L, 40L);
        // The trace has each path with all its calls.
        assertThat(read.events()).hasSize((int) paths * 40);
        assertThat(read.report().dropped()).isZero();
    }
}
