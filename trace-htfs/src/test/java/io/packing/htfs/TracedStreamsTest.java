// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.junit.jupiter.api.Test;

/** A test of a traced HDFS: the trace has every way to write and to read a file, and they work as without it. */
class TracedStreamsTest extends TracedHdfs {
    /** Returns the end of each file, added up from the events of its streams; fails at a gap or an overlap. */
    private static Map<String, Long> written(List<TraceEvent> events) {
        Map<String, Long> ends = new HashMap<>();
        for (TraceEvent event : events) {
            switch (event.call()) {
                case CREATE, CREATE_FILE, CREATE_NON_RECURSIVE, CREATE_FAVORED_NODES -> ends.put(event.path(), 0L);
                case WRITE -> {
                    assertThat(event.offset()).as(event.path()).isEqualTo(ends.get(event.path()));
                    ends.put(event.path(), event.end());
                }
                case CLOSE_OUTPUT -> assertThat(event.result()).isEqualTo(ends.get(event.path()));
                case RENAME -> ends.put(event.target(), ends.remove(event.path()));
                case TRUNCATE ->
                    ends.put(event.path(), Long.parseLong(event.hints().replaceAll("length=", "")));
                default -> {}
            }
        }
        return ends;
    }

    @Test
    void theTraceHasTheLengthOfEveryFileHoweverItWasWritten() throws IOException {
        Map<String, Long> actual = new HashMap<>();
        try (DistributedFileSystem fs = hdfs.traced(traces)) {
            try (FSDataOutputStream out = fs.create(new Path(home, "plain"))) {
                for (byte b : bytes(3_000)) {
                    out.write(b);
                }
                out.write(bytes(2 * HdfsForTests.BLOCK));
                out.writeLong(7);
                out.writeUTF("text");
            }
            try (FSDataOutputStream out =
                    fs.createFile(new Path(home, "built/deep")).recursive().build()) {
                out.write(bytes(70_000));
            }
            try (FSDataOutputStream out = fs.createNonRecursive(
                    new Path(home, "flat"), true, 4096, (short) 1, HdfsForTests.BLOCK, () -> {})) {
                out.write(bytes(10));
            }
            try (HdfsDataOutputStream out = fs.create(
                    new Path(home, "favored"),
                    FsPermission.getFileDefault(),
                    true,
                    4096,
                    (short) 1,
                    HdfsForTests.BLOCK,
                    () -> {},
                    new InetSocketAddress[0])) {
                out.write(bytes(11));
            }
            try (FSDataOutputStream out = fs.append(new Path(home, "flat"))) {
                assertThat(out.getPos()).isEqualTo(10);
                out.write(bytes(90));
                assertThat(out.getPos()).isEqualTo(100);
            }
            try (FSDataOutputStream out =
                    fs.appendFile(new Path(home, "favored")).build()) {
                out.write(bytes(9));
            }
            assertThat(fs.rename(new Path(home, "plain"), new Path(home, "renamed")))
                    .isTrue();
            // The write ends at a block's end, where HDFS has nothing to recover.
            assertThat(fs.truncate(new Path(home, "renamed"), HdfsForTests.BLOCK))
                    .isTrue();
            RemoteIterator<LocatedFileStatus> files = fs.listFiles(home, true);
            while (files.hasNext()) {
                FileStatus file = files.next();
                actual.put(file.getPath().toUri().getPath(), file.getLen());
            }
        }
        List<TraceEvent> events = Traces.finish(traces);
        assertThat(written(events)).isEqualTo(actual).hasSize(4);
        assertThat(actual).containsEntry(home + "/favored", 20L).containsEntry(home + "/flat", 100L);
        assertThat(Traces.of(events, Call.CREATE_FILE, Call.CREATE_NON_RECURSIVE, Call.CREATE_FAVORED_NODES))
                .extracting(TraceEvent::call)
                .containsExactly(Call.CREATE_FILE, Call.CREATE_NON_RECURSIVE, Call.CREATE_FAVORED_NODES);
        assertThat(Traces.of(events, Call.APPEND, Call.APPEND_FILE))
                .extracting(TraceEvent::result)
                .containsExactly(10L, 11L);
        // An event must have opened each stream.
        assertThat(Traces.of(events, Call.WRITE))
                .extracting(TraceEvent::stream)
                .isSubsetOf(events.stream()
                        .filter(event -> event.call().subject() == Subject.FILE_SYSTEM)
                        .map(TraceEvent::stream)
                        .toList());
    }

    @Test
    void everyWayToReadIsSeenWithItsPlaceAndReturnsWhatWasWritten() throws Exception {
        byte[] content = bytes(300_000);
        Path file = new Path(home, "f");
        try (DistributedFileSystem fs = hdfs.plain();
                FSDataOutputStream out = fs.create(file)) {
            out.write(content);
        }
        try (DistributedFileSystem fs = hdfs.traced(
                traces,
                "dfs.client.hedged.read.threadpool.size",
                "2",
                "dfs.client.hedged.read.threshold.millis",
                "1")) {
            try (FSDataInputStream in = fs.open(file)) {
                assertThat(in.read()).isEqualTo(content[0] & 0xff);
                byte[] some = new byte[1_000];
                in.readFully(some);
                assertThat(some).isEqualTo(Arrays.copyOfRange(content, 1, 1_001));
                ByteBuffer direct = ByteBuffer.allocateDirect(500);
                int count = in.read(direct);
                assertThat(in.getPos()).isEqualTo(1_001 + count);
                in.seek(200_000);
                assertThat(in.skip(50)).isEqualTo(50);
                assertThat(in.read()).isEqualTo(content[200_050] & 0xff);
                assertThat(in.read(100_000, some, 0, 10)).isPositive();
                in.readFully(100_000, some);
                assertThat(some).isEqualTo(Arrays.copyOfRange(content, 100_000, 101_000));
                ByteBuffer heap = ByteBuffer.allocate(777);
                assertThat(in.read(5_000, heap)).isPositive();
                heap = ByteBuffer.allocate(777);
                in.readFully(6_000, heap);
                assertThat(heap.array()).isEqualTo(Arrays.copyOfRange(content, 6_000, 6_777));
                List<FileRange> ranges =
                        List.of(FileRange.createFileRange(7, 100), FileRange.createFileRange(90_000, 9));
                in.readVectored(ranges, ByteBuffer::allocate);
                assertThat(ranges.get(1).getData().get().get(0)).isEqualTo(content[90_000]);
                ElasticByteBufferPool pool = new ElasticByteBufferPool();
                ByteBuffer mapped = in.read(pool, 64, EnumSet.of(ReadOption.SKIP_CHECKSUMS));
                assertThat(mapped.get(0)).isEqualTo(content[200_051]);
                in.releaseBuffer(mapped);
                in.setReadahead(4_096L);
                in.setDropBehind(true);
                in.unbuffer();
                assertThat(in.seekToNewSource(0)).isTrue();
            }
            try (FSDataInputStream in = fs.openFile(file).build().get()) {
                assertThat(in.read()).isEqualTo(content[0] & 0xff);
            }
            try (FSDataInputStream in = fs.open(fs.getPathHandle(fs.getFileStatus(file)))) {
                assertThat(in.read()).isEqualTo(content[0] & 0xff);
            }
        }
        List<TraceEvent> events = Traces.finish(traces);
        List<TraceEvent> first = events.stream()
                .filter(event -> event.stream() == Traces.of(events, Call.OPEN).get(0).stream())
                .toList();
        assertThat(first)
                .extracting(TraceEvent::call)
                .contains(
                        Call.OPEN,
                        Call.READ,
                        Call.READ_BYTE_BUFFER,
                        Call.SEEK,
                        Call.SKIP,
                        Call.PREAD,
                        Call.PREAD_FULLY,
                        Call.PREAD_BYTE_BUFFER,
                        Call.PREAD_FULLY_BYTE_BUFFER,
                        Call.READ_VECTORED,
                        Call.READ_ZERO_COPY,
                        Call.RELEASE_BUFFER,
                        Call.SET_READAHEAD,
                        Call.SET_DROP_BEHIND_INPUT,
                        Call.UNBUFFER,
                        Call.SEEK_TO_NEW_SOURCE,
                        Call.CLOSE_INPUT)
                .allMatch(call -> call != Call.UNKNOWN);
        assertThat(first).allMatch(event -> event.path().equals(file.toUri().getPath()));
        assertThat(Traces.of(first, Call.OPEN)).singleElement().returns(300_000L, TraceEvent::result);
        assertThat(Traces.of(first, Call.READ_ZERO_COPY)).singleElement().returns(200_051L, TraceEvent::offset);
        assertThat(Traces.of(first, Call.READ_VECTORED))
                .extracting(TraceEvent::offset)
                .containsExactlyInAnyOrder(7L, 90_000L);
        assertThat(Traces.of(first, Call.READ).stream()
                        .mapToLong(TraceEvent::bytes)
                        .sum())
                .isEqualTo(1 + 1_000 + 1);
        assertThat(Traces.of(events, Call.OPEN_FILE)).singleElement().satisfies(open -> {
            assertThat(open.stream()).isPositive();
            assertThat(open.result()).isEqualTo(300_000);
        });
        assertThat(Traces.of(events, Call.OPEN_PATH_HANDLE))
                .singleElement()
                .satisfies(open -> assertThat(open.stream()).isPositive());
    }

    @Test
    void castsHoldAndCapabilitiesPassThrough() throws IOException {
        Path file = new Path(home, "f");
        try (DistributedFileSystem plain = hdfs.plain();
                DistributedFileSystem traced = hdfs.traced(traces)) {
            List<String> capabilities = List.of(
                    "hflush",
                    "hsync",
                    "in:unbuffer",
                    "in:readahead",
                    "dropbehind",
                    "in:readbytebuffer",
                    "in:preadbytebuffer",
                    "in:readvectored",
                    "iostatistics",
                    "fs.capability.outputstream.abortable",
                    "no such thing");
            try (HdfsDataOutputStream ours = (HdfsDataOutputStream) traced.create(file);
                    HdfsDataOutputStream theirs = (HdfsDataOutputStream) plain.create(new Path(home, "g"))) {
                for (String capability : capabilities) {
                    assertThat(ours.hasCapability(capability)).isEqualTo(theirs.hasCapability(capability));
                }
                assertThat(ours.getWrappedStream()).hasSameClassAs(theirs.getWrappedStream());
                ours.write(bytes(100));
                ours.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
                assertThat(plain.getFileStatus(file).getLen()).isEqualTo(100);
                ours.hsync(EnumSet.of(SyncFlag.END_BLOCK));
                ours.hsync();
                ours.hflush();
                ours.flush();
                ours.setDropBehind(true);
                assertThat(ours.getCurrentBlockReplication()).isEqualTo(2);
                assertThat(ours.size()).isEqualTo(100);
            }
            try (HdfsDataInputStream ours = (HdfsDataInputStream) traced.open(file);
                    HdfsDataInputStream theirs = (HdfsDataInputStream) plain.open(file)) {
                for (String capability : capabilities) {
                    assertThat(ours.hasCapability(capability)).isEqualTo(theirs.hasCapability(capability));
                }
                assertThat(ours.getWrappedStream()).hasSameClassAs(theirs.getWrappedStream());
                assertThat(ours.read()).isEqualTo(theirs.read());
                assertThat(ours.getVisibleLength()).isEqualTo(100);
                assertThat(ours.getAllBlocks()).hasSameSizeAs(theirs.getAllBlocks());
                assertThat(ours.getCurrentBlock()).isEqualTo(theirs.getCurrentBlock());
                assertThat(ours.getCurrentDatanode())
                        .isIn((Object[]) ours.getAllBlocks().get(0).getLocations());
                assertThat(ours.getReadStatistics().getTotalBytesRead()).isPositive();
                ours.clearReadStatistics();
                assertThat(ours.getReadStatistics().getTotalBytesRead()).isZero();
                assertThat(ours.getFileDescriptor()).isNull();
            }
        }
        List<TraceEvent> events = Traces.finish(traces);
        assertThat(Traces.of(events, Call.HSYNC_UPDATE_LENGTH)).hasSize(1);
        assertThat(Traces.of(events, Call.HSYNC)).hasSize(2);
        assertThat(Traces.of(events, Call.HFLUSH, Call.FLUSH, Call.SET_DROP_BEHIND_OUTPUT))
                .hasSize(3);
    }

    @Test
    void filesOfAnEncryptionZoneAreSeenAsTheApplicationSeesThem() throws Exception {
        byte[] content = bytes(20_000);
        hdfs.makeEncryptionZone(home);
        try (DistributedFileSystem fs = hdfs.traced(traces, "hadoop.security.key.provider.path", hdfs.keys())) {
            Path file = new Path(home, "secret");
            try (HdfsDataOutputStream out = (HdfsDataOutputStream) fs.create(file)) {
                assertThat(out.getWrappedStream()).isInstanceOf(CryptoOutputStream.class);
                out.write(content, 0, 5_000);
                out.hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
                out.write(content, 5_000, 15_000);
            }
            try (HdfsDataInputStream in = (HdfsDataInputStream) fs.open(file)) {
                assertThat(in.readAllBytes()).isEqualTo(content);
                byte[] some = new byte[100];
                in.readFully(7_000, some);
                assertThat(some).isEqualTo(Arrays.copyOfRange(content, 7_000, 7_100));
                assertThat(in.getVisibleLength()).isEqualTo(20_000);
            }
        }
        List<TraceEvent> events = Traces.finish(traces);
        assertThat(written(events)).containsEntry(home + "/secret", 20_000L);
        assertThat(Traces.of(events, Call.PREAD_FULLY)).singleElement().returns(7_000L, TraceEvent::offset);
    }
}
