// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that the trace has the calls of FileContext, which bypass every FileSystem. */
class TracingAbstractFileSystemTest {
    @TempDir
    private java.nio.file.Path temp;

    private java.nio.file.Path traces() {
        return temp.resolve("traces");
    }

    @AfterEach
    void stopTracing() {
        ProcessTracer.finish(traces());
    }

    private static void work(FileContext files, Path home) throws IOException {
        Path file = new Path(home, "a");
        files.mkdir(home, FsPermission.getDirDefault(), true);
        try (FSDataOutputStream out = files.create(file, EnumSet.of(CreateFlag.CREATE), CreateOpts.createParent())) {
            out.write(new byte[10_000]);
            out.hsync();
        }
        try (FSDataInputStream in = files.open(file)) {
            assertThat(in.readAllBytes()).hasSize(10_000);
        }
        files.rename(file, new Path(home, "b"));
        RemoteIterator<FileStatus> all = files.listStatus(home);
        assertThat(all.next().getLen()).isEqualTo(10_000);
        assertThat(all.hasNext()).isFalse();
        assertThatThrownBy(() -> files.open(file)).isInstanceOf(FileNotFoundException.class);
        assertThat(files.delete(home, true)).isTrue();
    }

    private static void check(List<TraceEvent> all, Path home) {
        List<TraceEvent> events = all.stream()
                .filter(event -> event.path().startsWith(home.toUri().getPath()))
                .toList();
        assertThat(Traces.of(events, Call.CREATE))
                .singleElement()
                .satisfies(create -> assertThat(create.stream()).isPositive());
        assertThat(Traces.of(events, Call.WRITE).stream()
                        .mapToLong(TraceEvent::bytes)
                        .sum())
                .isEqualTo(10_000);
        assertThat(Traces.of(events, Call.READ).stream()
                        .mapToLong(TraceEvent::bytes)
                        .sum())
                .isEqualTo(10_000);
        assertThat(Traces.of(events, Call.RENAME))
                .singleElement()
                .satisfies(rename -> assertThat(rename.target()).endsWith("/b"));
        assertThat(Traces.of(events, Call.OPEN).get(1).error()).isEqualTo("FileNotFoundException");
        assertThat(Traces.of(events, Call.HSYNC, Call.MKDIRS, Call.DELETE, Call.LIST_STATUS_ITERATOR))
                .extracting(TraceEvent::call, TraceEvent::result)
                .containsExactly(
                        tuple(Call.MKDIRS, TraceEvent.NONE),
                        tuple(Call.HSYNC, TraceEvent.NONE),
                        tuple(Call.LIST_STATUS_ITERATOR, TraceEvent.NONE),
                        // The application walked to one entry.
                        tuple(Call.LIST_STATUS_ITERATOR, 1L),
                        tuple(Call.DELETE, 1L));
    }

    @Test
    void workOnHdfsIsSeenAndCastsHold() throws IOException {
        try (HdfsForTests hdfs = HdfsForTests.start(temp.resolve("hdfs"))) {
            FileContext files = FileContext.getFileContext(hdfs.uri(), hdfs.tracedConfiguration(traces()));
            Path home = new Path("/context");
            work(files, home);
            Path cast = new Path("/cast");
            try (HdfsDataOutputStream out = (HdfsDataOutputStream) files.create(cast, EnumSet.of(CreateFlag.CREATE))) {
                out.write(1);
                assertThat(out.getPos()).isEqualTo(1);
            }
            try (HdfsDataOutputStream out = (HdfsDataOutputStream) files.create(cast, EnumSet.of(CreateFlag.APPEND))) {
                out.write(2);
            }
            try (HdfsDataInputStream in = (HdfsDataInputStream) files.open(cast)) {
                assertThat(in.getVisibleLength()).isEqualTo(2);
            }
            List<TraceEvent> events = Traces.finish(traces());
            check(events, home);
            assertThat(Traces.of(events, Call.APPEND)).singleElement().returns("/cast", TraceEvent::path);
            assertThat(Traces.of(events, Call.WRITE))
                    .filteredOn(event -> event.path().equals("/cast"))
                    .extracting(TraceEvent::offset)
                    .containsExactly(0L, 1L);
        }
    }

    @Test
    void anyOtherIsFoundByItsKeyOrByHadoopsDefault() throws IOException {
        Configuration conf = new Configuration();
        conf.set("fs.AbstractFileSystem.file.impl", TracingAbstractFileSystem.class.getName());
        conf.set("htfs.dir", traces().toString());
        Path home = new Path(temp.resolve("home").toString());
        work(FileContext.getFileContext(URI.create("file:///"), conf), home);
        check(Traces.finish(traces()), home);
        conf.set("htfs.underlying.AbstractFileSystem.file.impl", String.class.getName());
        assertThatThrownBy(() -> FileContext.getFileContext(URI.create("file:///"), conf))
                .hasStackTraceContaining("htfs.underlying.AbstractFileSystem.file.impl");
    }
}
