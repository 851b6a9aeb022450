// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.blob.BlobHeader;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New segments write over old files, whose earlier records belong to no segment. */
final class SegmentFilesTest {
    /** Random lives of segments; no two have the same. */
    private final Random tags = Seed.random();

    private static final int CONTENT = 1_000;

    @TempDir
    private Path directory;

    private long usable = SegmentFiles.AMPLE_DISK_BYTES;
    private long nanos;

    private SegmentFiles files() {
        return new SegmentFiles(directory, () -> usable, () -> nanos, tags::nextInt);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private Path file(SegmentFiles files, String name) throws IOException {
        Path path = directory.resolve(name);
        try (FileChannel channel = files.open(path)) {
            channel.write(ByteBuffer.allocate(CONTENT), 0);
        }
        return path;
    }

    @Test
    void aNewFileIsAnOlderOneUnderItsName() throws IOException {
        SegmentFiles files = files();
        files.retire(file(files, "1"));
        assertThat(names()).hasSize(1).doesNotContain("1");
        try (FileChannel channel = files.open(directory.resolve("2"))) {
            assertThat(channel.size()).isEqualTo(CONTENT);
        }
        assertThat(names()).containsExactly("2");
        try (FileChannel channel = files.open(directory.resolve("3"))) {
            assertThat(channel.size()).isZero();
        }
    }

    @Test
    void atMostSoManyAreKeptAndForSoLong() throws IOException {
        SegmentFiles files = files();
        List<Path> paths = List.of(file(files, "1"), file(files, "2"), file(files, "3"));
        for (Path path : paths) {
            files.retire(path);
            nanos++;
        }
        assertThat(names()).hasSize(SegmentFiles.MOST_SPARES);
        nanos = SegmentFiles.SPARE_NANOS;
        files.expire();
        assertThat(names()).hasSize(SegmentFiles.MOST_SPARES - 1);
        nanos++;
        files.expire();
        assertThat(names()).isEmpty();
    }

    @Test
    void noneIsKeptOnADiskThatIsNearlyFull() throws IOException {
        SegmentFiles files = files();
        Path second = file(files, "2");
        files.retire(file(files, "1"));
        assertThat(files.usableBytes()).isEqualTo(usable);
        assertThat(names()).hasSize(2);
        usable--;
        assertThat(files.usableBytes()).isEqualTo(usable);
        assertThat(names()).containsExactly("2");
        files.retire(second);
        assertThat(names()).isEmpty();
    }

    @Test
    void aStartAndAnEndDeleteWhatIsSpare() throws IOException {
        SegmentFiles files = files();
        files.retire(file(files, "1"));
        file(files(), "2");
        files().start();
        assertThat(names()).containsExactly("2");
        SegmentFiles later = files();
        later.retire(directory.resolve("2"));
        later.deleteAll();
        assertThat(names()).isEmpty();
    }

    private static SegmentRecord record(long id) {
        ByteBuffer bytes = bytes(id);
        return new SegmentRecord(
                SegmentRecord.Kind.FILE,
                id,
                new FilePath("/f" + id),
                new FileAttributes(bytes.remaining(), 1, "o", "g", 0644),
                0,
                bytes.remaining(),
                bytes.remaining(),
                Codec.NONE,
                ExtentCodec.crc32c(bytes));
    }

    private static ByteBuffer bytes(long id) {
        return ByteBuffer.allocate(100).putLong(0, id);
    }

    private BufferSegment segment(SegmentFiles files, long number, long... ids) throws IOException {
        BufferSegment segment = BufferSegment.create(
                number, directory.resolve(number + ".segment"), files, false, 0, Optional.of(ByteBuffer.allocate(500)));
        for (long id : ids) {
            segment.append(record(id).header(segment.life()), bytes(id));
        }
        segment.commit(false);
        return segment;
    }

    private static List<Long> scan(Path path) throws IOException {
        return SegmentScan.of(path, 0).records.stream()
                .map(found -> found.record().fileId())
                .toList();
    }

    @Test
    void recordsOfAnOlderSegmentAreNotFoundWhereTheNewOneEnds() throws IOException {
        SegmentFiles files = files();
        BufferSegment older = segment(files, 1, 1, 2, 3, 4);
        older.delete();
        BufferSegment newer = segment(files, 2, 5, 6);
        Path path = newer.file().orElseThrow().path();
        assertThat(Files.size(path)).isEqualTo(older.position());
        assertThat(scan(path)).containsExactly(5L, 6L);
        assertThat(SegmentScan.of(path, 0).end).isEqualTo(newer.position());
        newer.close();
    }

    @Test
    void aSegmentWithoutRecordsHasNoneOfAnOlderOne() throws IOException {
        SegmentFiles files = files();
        segment(files, 1, 1, 2).delete();
        BufferSegment newer = BufferSegment.create(
                2, directory.resolve("2.segment"), files, false, 0, Optional.of(ByteBuffer.allocate(500)));
        assertThat(scan(directory.resolve("2.segment"))).isEmpty();
        newer.close();
    }

    @Test
    void aReaderThatComesLateIsToldThatTheSegmentIsGone() throws IOException {
        SegmentFiles files = files();
        BufferSegment older = segment(files, 1, 1);
        Extent extent = record(1)
                .extentAt(SegmentStart.SIZE, record(1).header(0).remaining())
                .orElseThrow();
        assertThat(older.readAlone(extent)).isEqualTo(bytes(1));
        older.delete();
        BufferSegment newer = segment(files, 2, 2);
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> older.readAlone(extent));
        assertThat(newer.readAlone(extent)).isEqualTo(bytes(2));
        newer.close();
    }

    @Test
    void aFileOfAFormerVersionIsRead() throws IOException {
        Path path = directory.resolve("1.segment");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(BlobHeader.bytes());
            for (long id = 1; id <= 2; id++) {
                channel.write(record(id).header(SegmentStart.NO_LIFE));
                channel.write(bytes(id));
            }
        }
        assertThat(scan(path)).containsExactly(1L, 2L);
    }

    /**
     * A loss of power may leave a file two names, if none of them was forced: of an older segment, and of the one that wrote over its file. Two
     * new segments over that file would destroy each other.
     */
    @Test
    void aFileOfAnEarlierProcessIsNotWrittenOver() throws IOException {
        Path first = file(files(), "1.segment");
        Path second = Files.createLink(directory.resolve("2.segment"), first);
        SegmentFiles files = files();
        BufferSegment.reopen(1, first, files, false, 0, CONTENT).delete();
        BufferSegment.reopen(2, second, files, false, 0, CONTENT).delete();
        try (FileChannel third = files.open(directory.resolve("3.segment"));
                FileChannel fourth = files.open(directory.resolve("4.segment"))) {
            assertThat(third.write(ByteBuffer.allocate(2 * CONTENT), 0)).isEqualTo(2 * CONTENT);
            assertThat(fourth.size()).isZero();
        }
    }
}
