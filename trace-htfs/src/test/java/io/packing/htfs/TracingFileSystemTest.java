// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.packing.seed.Seed;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a traced local file system: the trace has the application's calls, and they work as without it. */
class TracingFileSystemTest {
    @TempDir
    private java.nio.file.Path temp;

    private java.nio.file.Path traces = java.nio.file.Path.of("");
    private Path home = new Path("/");

    @BeforeEach
    void choosePlaces() throws IOException {
        traces = temp.resolve("traces");
        home = new Path(Files.createDirectories(temp.resolve("home")).toString());
    }

    @AfterEach
    void stopTracing() {
        ProcessTracer.finish(traces);
    }

    private FileSystem traced(String... more) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", Traces.anyFileSystem());
        conf.set("htfs.underlying.file.impl", RawLocalFileSystem.class.getName());
        conf.set("htfs.dir", traces.toString());
        conf.set("htfs.process", "test");
        for (int i = 0; i < more.length; i += 2) {
            conf.set(more[i], more[i + 1]);
        }
        return FileSystem.newInstance(URI.create("file:///"), conf);
    }

    private List<TraceEvent> events() throws IOException {
        return Traces.finish(traces);
    }

    private static List<TraceEvent> of(List<TraceEvent> events, Call call) {
        return Traces.of(events, call);
    }

    @Test
    void everyByteThatIsWrittenAndReadIsInTheTraceWithItsPlace() throws IOException {
        Path file = new Path(home, "a/f");
        byte[] bytes = new byte[100_000];
        Seed.random().nextBytes(bytes);
        try (FileSystem fs = traced()) {
            try (FSDataOutputStream out = fs.create(file)) {
                for (int i = 0; i < 1_000; i++) {
                    out.write(bytes[i]);
                }
                out.write(bytes, 1_000, bytes.length - 1_000);
                out.hflush();
            }
            byte[] back = new byte[bytes.length];
            try (FSDataInputStream in = fs.open(file)) {
                in.readFully(back);
                assertThat(back).isEqualTo(bytes);
                in.seek(10);
                assertThat(in.read()).isEqualTo(bytes[10] & 0xff);
                in.readFully(50_000, back, 0, 1_000);
                assertThat(in.getPos()).isEqualTo(11);
            }
        }
        List<TraceEvent> events = events();
        long end = 0;
        for (TraceEvent write : of(events, Call.WRITE)) {
            assertThat(write.offset()).isEqualTo(end);
            end = write.end();
            assertThat(write.path()).isEqualTo(file.toUri().getPath());
        }
        assertThat(end).isEqualTo(bytes.length);
        assertThat(of(events, Call.WRITE)).hasSizeLessThan(20);
        assertThat(of(events, Call.WRITE).stream().mapToInt(TraceEvent::count).sum())
                .isEqualTo(1_001);
        assertThat(of(events, Call.HFLUSH)).hasSize(1);
        assertThat(of(events, Call.CLOSE_OUTPUT)).singleElement().returns((long) bytes.length, TraceEvent::result);
        assertThat(of(events, Call.READ).stream().mapToLong(TraceEvent::bytes).sum())
                .isEqualTo(bytes.length + 1L);
        assertThat(of(events, Call.PREAD_FULLY)).singleElement().returns(50_000L, TraceEvent::offset);
        assertThat(of(events, Call.SEEK)).singleElement().returns(10L, TraceEvent::offset);
        assertThat(events).allMatch(event -> event.origin().process().equals("test"));
        assertThat(of(events, Call.CREATE).get(0).stream()).isEqualTo(of(events, Call.WRITE).get(0).stream());
    }

    @Test
    void buildersAndVectoredAndBufferReadsAreSeenToo() throws Exception {
        Path file = new Path(home, "f");
        try (FileSystem fs = traced()) {
            try (FSDataOutputStream out = fs.createFile(file).recursive().build()) {
                out.write(new byte[1_000]);
            }
            try (FSDataInputStream in = fs.openFile(file).build().get()) {
                // As without tracing, the local file system reads into no buffers.
                assertThatThrownBy(() -> in.read(ByteBuffer.allocate(100)))
                        .isInstanceOf(UnsupportedOperationException.class);
                List<FileRange> ranges = List.of(FileRange.createFileRange(0, 10), FileRange.createFileRange(500, 20));
                in.readVectored(ranges, ByteBuffer::allocate);
                for (FileRange range : ranges) {
                    assertThat(range.getData().get().remaining()).isEqualTo(range.getLength());
                }
            }
        }
        List<TraceEvent> events = events();
        assertThat(of(events, Call.OPEN_FILE)).hasSize(1);
        assertThat(of(events, Call.CREATE_FILE)).hasSize(1);
        assertThat(of(events, Call.READ_BYTE_BUFFER))
                .singleElement()
                .returns("UnsupportedOperationException", TraceEvent::error);
        assertThat(of(events, Call.READ_VECTORED))
                .extracting(TraceEvent::offset)
                .containsExactlyInAnyOrder(0L, 500L);
    }

    @Test
    void whatLooksBehindAStreamSeesWhatItWouldUntraced() throws IOException {
        Path file = new Path(home, "f");
        Configuration untraced = new Configuration(false);
        untraced.set("fs.file.impl", RawLocalFileSystem.class.getName());
        try (FileSystem fs = traced();
                FileSystem plain = FileSystem.newInstance(URI.create("file:///"), untraced)) {
            try (FSDataOutputStream ours = fs.create(file);
                    FSDataOutputStream theirs = plain.create(new Path(home, "g"))) {
                ours.write(new byte[10]);
                assertThat(ours.getPos()).isEqualTo(10);
                assertThat(ours.hasCapability("hsync")).isEqualTo(theirs.hasCapability("hsync"));
                assertThat(ours.getWrappedStream()).isNotInstanceOf(TracedOutput.class);
            }
            try (FSDataInputStream in = fs.open(file)) {
                // Parquet chooses its kind of reads by these interfaces.
                assertThat(in.getWrappedStream()).isNotInstanceOf(ByteBufferReadable.class);
                assertThat(in.getFileDescriptor().valid()).isTrue();
            }
        }
    }

    @Test
    void aBuilderKeepsTheOptionsOfTheTracedFileSystem() throws IOException {
        try (FileSystem fs = traced()) {
            Path file = new Path(home, "f");
            assertThatThrownBy(
                            () -> fs.createFile(file).must("no.such.option", 1).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no.such.option");
            FSDataOutputStreamBuilder<?, ?> builder = fs.createFile(file);
            builder.permission(FsPermission.valueOf("-rw-------")).opt("fs.some.hint", true);
            builder.build().close();
            assertThat(fs.getFileStatus(file).getPermission()).hasToString("rw-------");
            assertThatThrownBy(() -> fs.createFile(file).overwrite(false).build())
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(of(events(), Call.CREATE_FILE))
                .extracting(TraceEvent::error)
                .containsExactly("IllegalArgumentException", "", "FileAlreadyExistsException");
    }

    @Test
    void callsOnPathsCarryBothPathsAndTheirResult() throws IOException {
        try (FileSystem fs = traced()) {
            Path from = new Path(home, "from");
            Path to = new Path(home, "to");
            assertThat(fs.mkdirs(from)).isTrue();
            assertThat(fs.rename(from, to)).isTrue();
            assertThat(fs.listStatus(home)).hasSize(1);
            assertThat(fs.delete(to, true)).isTrue();
        }
        List<TraceEvent> events = events();
        assertThat(of(events, Call.RENAME)).singleElement().satisfies(rename -> {
            assertThat(rename.path()).endsWith("/from");
            assertThat(rename.target()).endsWith("/to");
            assertThat(rename.result()).isEqualTo(1);
        });
        assertThat(of(events, Call.LIST_STATUS)).singleElement().returns(1L, TraceEvent::result);
        assertThat(of(events, Call.DELETE)).singleElement().returns(1L, TraceEvent::result);
    }

    @Test
    void theWalkOfAListingIsRecordedBesideTheCallThatMadeIt() throws IOException {
        int walked = 0;
        Path home = new Path(temp.resolve("listed").toUri());
        try (FileSystem fs = traced()) {
            for (int i = 0; i < 10; i++) {
                fs.create(new Path(home, "d/f" + i)).close();
            }
            RemoteIterator<FileStatus> all = fs.listStatusIterator(new Path(home, "d"));
            while (all.hasNext()) {
                all.next();
                walked++;
            }
            assertThatThrownBy(all::next).isInstanceOf(NoSuchElementException.class);
            RemoteIterator<LocatedFileStatus> left = fs.listFiles(home, true);
            left.next();
            // The application neither walks this listing to its end nor closes it.
        }
        List<TraceEvent> events = Traces.finish(traces);
        List<TraceEvent> listing = Traces.of(events, Call.LIST_STATUS_ITERATOR);
        assertThat(walked).isEqualTo(10);
        assertThat(listing)
                .extracting(TraceEvent::offset, TraceEvent::result, TraceEvent::error)
                .containsExactly(
                        tuple(TraceEvent.NONE, TraceEvent.NONE, ""),
                        tuple(0L, 10L, ""),
                        tuple(10L, TraceEvent.NONE, "NoSuchElementException"));
        // The walk has ten entries, and one more hasNext.
        assertThat(listing.get(1).count()).isEqualTo(21);
        assertThat(listing).allMatch(event -> event.path().endsWith("/listed/d") && event.stream() == TraceEvent.NONE);
        assertThat(Traces.of(events, Call.LIST_FILES))
                .extracting(TraceEvent::result)
                .containsExactly(TraceEvent.NONE, 1L);
    }

    @Test
    void aFailureIsTheSameAsWithoutTracingAndIsInTheTrace() throws IOException {
        Path missing = new Path(home, "missing");
        try (FileSystem fs = traced()) {
            assertThatThrownBy(() -> fs.open(missing)).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> fs.getFileStatus(missing)).isInstanceOf(FileNotFoundException.class);
        }
        assertThat(of(events(), Call.OPEN)).singleElement().returns("FileNotFoundException", TraceEvent::error);
    }

    @Test
    void aTraceThatCannotBeWrittenNeverFailsACall() throws IOException {
        Files.writeString(traces, "a file stands where the directory should be");
        try (FileSystem fs = traced()) {
            Path file = new Path(home, "f");
            fs.create(file).close();
            assertThat(fs.getFileStatus(file).getLen()).isZero();
        }
    }

    @Test
    void aMisspeltKeyIsNamedWithTheNearest() {
        assertThatThrownBy(() -> traced("htfs.buffer.event", "100"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("htfs.buffer.event")
                .hasMessageContaining("htfs.buffer.events");
    }

    @Test
    void withoutAnUnderlyingFileSystemItSaysWhatToSet() {
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", Traces.anyFileSystem());
        conf.set("htfs.dir", traces.toString());
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create("file:///"), conf))
                .hasMessageContaining("htfs.underlying.file.impl");
    }
}
