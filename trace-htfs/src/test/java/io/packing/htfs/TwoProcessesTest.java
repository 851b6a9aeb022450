// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with two Java processes that trace into one directory at one time, with files that end often. */
@Tag("process")
class TwoProcessesTest {
    private static final int FILES = 200;

    @TempDir
    private Path temp;

    /** Runs the traced process: {@code traces home name}. */
    public static void main(String[] args) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", TracingFileSystem.class.getName());
        conf.set("htfs.underlying.file.impl", RawLocalFileSystem.class.getName());
        conf.set("htfs.dir", args[0]);
        conf.set("htfs.process", args[2]);
        conf.set("htfs.rotate.bytes", "1KB");
        conf.set("htfs.flush.after", "1ms");
        try (FileSystem fs = FileSystem.newInstance(URI.create("file:///"), conf)) {
            for (int i = 0; i < FILES; i++) {
                try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(args[1], args[2] + "-" + i))) {
                    out.write(new byte[100]);
                }
            }
        }
    }

    private Process start(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TwoProcessesTest.class.getName(),
                        temp.resolve("traces").toString(),
                        temp.resolve("home").toString(),
                        name)
                .inheritIO()
                .start();
    }

    @Test
    void theirTracesAreWholeAndNoEventOfEitherIsMissing() throws Exception {
        Process one = start("one");
        Process other = start("other");
        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(temp.resolve("traces")))) {
            for (Optional<TraceEvent> next = files.next(); next.isPresent(); next = files.next()) {
                events.add(next.get());
            }
            assertThat(files.report().isWhole()).isTrue();
            assertThat(files.report().dropped()).isZero();
        }
        for (String name : List.of("one", "other")) {
            List<TraceEvent> its = events.stream()
                    .filter(event -> event.origin().process().equals(name))
                    .toList();
            assertThat(its)
                    .as(name)
                    .filteredOn(event -> event.call() == Call.CREATE)
                    .hasSize(FILES);
            assertThat(its)
                    .as(name)
                    .filteredOn(event -> event.call() == Call.CLOSE_OUTPUT)
                    .hasSize(FILES);
            assertThat(its.stream().mapToLong(TraceEvent::bytes).sum()).as(name).isEqualTo(100L * FILES);
        }
        assertThat(events.stream().map(TraceEvent::origin).collect(Collectors.toSet()))
                .hasSize(2);
        assertThat(TraceFiles.expand(List.of(temp.resolve("traces")))).hasSizeGreaterThan(4);
    }
}
