// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceOrigin;
import io.packing.trace.hadoop.HadoopReplay;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that replays a trace on a real HDFS. It needs the folder of Hadoop's jars, which the module
 * {@code hbase-runtime} collects.
 */
@Tag("cluster")
class ReplayOnHdfsIT {
    private static final int FILES = 10;
    private static final int WRITE = 10_000;
    private static final long MILLI = 1_000_000;

    @TempDir
    Path folder;

    private final List<Long> due = new ArrayList<>();
    private long millis;

    private TraceEventBuilder event(Call call, String path) {
        millis++;
        return new TraceEventBuilder(call)
                .origin(new TraceOrigin("h", 1, ""))
                .at(1_700_000_000_000_000_000L + millis * MILLI, millis * MILLI)
                .path(path);
    }

    /**
     * Writes a trace in which files are written, synced, appended to, renamed and read; half are deleted. One existed
     * before.
     */
    private Path trace() throws IOException {
        Path file = folder.resolve("trace.htfs");
        try (TraceFileWriter out = TraceFileWriter.create(file)) {
            out.write(event(Call.MKDIRS, "/store").result(1).build());
            for (int i = 0; i < FILES; i++) {
                String log = "/logs/f" + i;
                String store = "/store/f" + i;
                long stream = 10L * i;
                out.write(event(Call.CREATE_FILE, log).stream(stream).build());
                write(out, log, stream, 0);
                out.write(event(Call.HFLUSH, log).stream(stream).build());
                write(out, log, stream, WRITE);
                out.write(event(Call.CLOSE_OUTPUT, log).stream(stream)
                        .result(2 * WRITE)
                        .build());
                out.write(event(Call.APPEND, log).stream(stream + 1).build());
                write(out, log, stream + 1, 2 * WRITE);
                out.write(event(Call.CLOSE_OUTPUT, log).stream(stream + 1)
                        .result(3 * WRITE)
                        .build());
                out.write(event(Call.RENAME, log).target(store).result(1).build());
                read(out, store, stream + 2, 2 * WRITE);
                out.write(event(Call.GET_FILE_STATUS, store).result(3 * WRITE).build());
                if (i % 2 == 1) {
                    out.write(event(Call.DELETE, store).result(1).build());
                }
            }
            read(out, "/old", 1_000, WRITE);
            out.write(event(Call.LIST_STATUS, "/store").result(FILES / 2).build());
            out.write(
                    event(Call.OPEN, "/missing").error("FileNotFoundException").build());
        }
        return file;
    }

    private void write(TraceFileWriter out, String path, long stream, long offset) throws IOException {
        out.write(event(Call.WRITE, path).stream(stream)
                .range(offset, WRITE)
                .result(WRITE)
                .build());
    }

    private void read(TraceFileWriter out, String path, long stream, long offset) throws IOException {
        out.write(event(Call.OPEN, path).stream(stream).build());
        out.write(event(Call.PREAD, path).stream(stream)
                .range(offset, WRITE)
                .result(WRITE)
                .build());
        out.write(event(Call.CLOSE_INPUT, path).stream(stream).build());
    }

    private ReplayReport replay(HdfsCluster hdfs, Path trace, String root, int threads, double speed)
            throws IOException, InterruptedException {
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("hdfs-site.xml"), """
                <configuration>
                  <property><name>dfs.replication</name><value>1</value></property>
                </configuration>
                """);
        Files.writeString(conf.resolve("core-site.xml"), "<configuration/>");
        return HadoopReplay.on(
                URI.create(hdfs.uri()),
                Optional.of(conf),
                new HadoopReplay.ReplayOptions(root, threads, speed),
                System::nanoTime,
                due::add,
                done -> {},
                () -> TraceFiles.open(List.of(trace)));
    }

    private static void assertReplayed(ReplayReport report) {
        assertThat(report.mismatches()).as("%s", report.examples()).isZero();
        assertThat(report.errors()).as("the open that failed").isEqualTo(1);
        assertThat(report.skipped()).isEmpty();
        assertThat(report.preparedFiles()).isEqualTo(1);
        assertThat(report.bytes()).isEqualTo((4L * FILES + 1) * WRITE);
    }

    @Test
    void aTraceIsReplayedOnHdfsAsFastAsPossibleAndInItsOwnTime() throws Exception {
        Path trace = trace();
        Setup setup = new Setup(Path.of("..", "lab", "hbase-runtime", "target", "hbase-lib"), folder.resolve("hdfs"));
        try (HdfsCluster hdfs = HdfsCluster.start(setup, 1)) {
            assertReplayed(replay(hdfs, trace, "/fast", 4, 0));
            assertThat(due).isEmpty();
            assertReplayed(replay(hdfs, trace, "/timed", 4, 10));
            // The trace has a millisecond between two events, and the replay is ten times as fast.
            assertThat(due).hasSize((int) millis).startsWith(0L, MILLI / 10).endsWith((millis - 1) * MILLI / 10);
            assertThat(hdfs.files().byPath().entrySet().stream()
                            .filter(file -> file.getKey().startsWith("/timed/store/"))
                            .toList())
                    .hasSize(FILES / 2)
                    .allMatch(file -> file.getValue() == 3L * WRITE);
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
