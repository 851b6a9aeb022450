// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.junit.jupiter.api.Test;

/** A test of a traced HDFS: the trace has the application's calls, and they work as without it. */
class TracedHdfsTest extends TracedHdfs {

    @Test
    void everyPageThatAListingFetchesWhileItIsWalkedIsAnEvent() throws Exception {
        int entries = 3 * HdfsForTests.PAGE + 1;
        int walked = 0;
        try (DistributedFileSystem fs = hdfs.traced(traces)) {
            fs.mkdirs(home);
            List<FSDataOutputStream> open = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                open.add(fs.create(new Path(home, "f" + i)));
                fs.addCachePool(new CachePoolInfo("pool" + i));
                fs.addCacheDirective(new CacheDirectiveInfo.Builder()
                        .setPath(new Path(home, "f" + i))
                        .setPool("pool" + i)
                        .build());
            }
            walked += walk(fs.listStatusIterator(home));
            walked += walk(fs.listLocatedStatus(home));
            walked += walk(fs.listFiles(home, true));
            walked += walk(fs.listCachePools());
            walked += walk(fs.listCacheDirectives(null));
            walked += walk(fs.listOpenFiles());
            // The walk is one call, however many pages it fetches.
            assertThat(fs.listStatus(home)).hasSize(entries);
            for (FSDataOutputStream out : open) {
                out.close();
            }
        }
        assertThat(walked).isEqualTo(6 * entries);
        List<TraceEvent> events = Traces.finish(traces);
        List<TraceEvent> pages = Traces.of(events, Call.LIST_STATUS_BATCH);
        // Each listing has four pages, and the first one comes with the call that makes the listing.
        assertThat(pages).hasSize(3 * 3).allMatch(page -> page.path().equals(home.toString()));
        assertThat(pages.stream().mapToLong(TraceEvent::result).sum()).isEqualTo(3L * (entries - HdfsForTests.PAGE));
        assertThat(Traces.of(events, Call.LIST_STATUS)).hasSize(1);
        // These listings fetch no page before the walk.
        assertThat(later(events, "op=listCachePools op=page")).isEqualTo(entries);
        assertThat(later(events, "op=listCacheDirectives op=page")).isEqualTo(entries);
        assertThat(later(events, "op=listOpenFiles op=page")).isEqualTo(entries);
    }

    private static int walk(RemoteIterator<?> all) throws IOException {
        int count = 0;
        while (all.hasNext()) {
            all.next();
            count++;
        }
        return count;
    }

    /** Returns the entries of the pages with these hints; requires at least four pages. */
    private static long later(List<TraceEvent> events, String hints) {
        List<TraceEvent> pages =
                events.stream().filter(event -> event.hints().equals(hints)).toList();
        assertThat(pages).as(hints).hasSizeGreaterThanOrEqualTo(4);
        return pages.stream().mapToLong(TraceEvent::result).sum();
    }

    @Test
    void aTraceThatCannotBeWrittenNeverFailsACall() throws IOException {
        Files.writeString(traces, "a file stands where the directory should be");
        Path file = new Path(home, "f");
        try (DistributedFileSystem fs = hdfs.traced(traces)) {
            try (FSDataOutputStream out = fs.createFile(file).recursive().build()) {
                out.write(bytes(100_000));
                out.hflush();
            }
            try (FSDataInputStream in = fs.open(file)) {
                assertThat(in.readAllBytes()).isEqualTo(bytes(100_000));
            }
        }
    }

    @Test
    void aCallThatMakesOthersIsOneEvent() throws IOException {
        try (DistributedFileSystem fs = hdfs.traced(traces)) {
            fs.mkdirs(home);
            assertThat(fs.exists(home)).isTrue();
            assertThat(fs.globStatus(new Path(home, "*"))).isEmpty();
            assertThat(fs.deleteOnExit(home)).isTrue();
        }
        assertThat(Traces.finish(traces))
                .extracting(TraceEvent::call)
                .containsExactly(
                        Call.MKDIRS,
                        Call.EXISTS,
                        Call.GLOB_STATUS,
                        Call.DELETE_ON_EXIT,
                        // The trace shows the effects of closing beside the close.
                        Call.EXISTS,
                        Call.DELETE,
                        Call.CLOSE_FILE_SYSTEM);
    }

    @Test
    void failuresAreThoseOfHdfsAndAreInTheTrace() throws IOException {
        Path missing = new Path(home, "missing");
        try (DistributedFileSystem fs = hdfs.traced(traces)) {
            assertThatThrownBy(() -> fs.open(missing)).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> fs.append(missing)).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> fs.openFile(missing).build().get())
                    .hasCauseInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> fs.createFile(missing).build()).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> fs.getFileStatus(null)).isInstanceOf(NullPointerException.class);
            FSDataOutputStream out = fs.create(missing);
            out.close();
            assertThatThrownBy(() -> out.write(bytes(100_000))).isInstanceOf(ClosedChannelException.class);
            FSDataInputStream in = fs.open(missing);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.readFully(10, new byte[10])).isInstanceOf(EOFException.class);
            in.close();
            assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        }
        List<TraceEvent> failed =
                Traces.finish(traces).stream().filter(TraceEvent::failed).toList();
        assertThat(failed)
                .extracting(event -> event.call().label() + " " + event.error())
                .containsExactly(
                        "open FileNotFoundException",
                        "append FileNotFoundException",
                        "openFile FileNotFoundException",
                        "createFile FileNotFoundException",
                        "getFileStatus NullPointerException",
                        "write ClosedChannelException",
                        "seek EOFException",
                        "preadFully EOFException",
                        "read IOException");
    }
}
