// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.SealPolicy;
import io.packing.power.PowerStore;
import io.packing.seed.Seed;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that was written in slices shares the open segment, from its end on. */
class SharedSlicesTest {
    private static final int SLICE = 10_000;
    /** The limit of a blob's file bytes. */
    private static final int BLOB = 100_000;

    @TempDir
    private Path temp;

    private final Random random = Seed.random();
    private long freeBytes = 1L << 40;
    private FileBuffer buffer;
    private Appender appender;
    private long nextId = 1;

    @BeforeEach
    void start() throws IOException {
        buffer = open("first boot");
        appender = new Appender(buffer, Scheduling.alone(() -> 0));
    }

    /** Opens the buffer; after another boot it believes no index. */
    private FileBuffer open(String boot) throws IOException {
        BufferLimits limits = new BufferLimits(
                1L << 30,
                BLOB,
                0,
                SealPolicy.SealOptions.age(Duration.ofHours(1)),
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                Durability.SYNCED);
        return FileBuffer.open(
                temp.resolve("segments"),
                limits,
                new FileBuffer.Stores(new PowerStore(), Optional.empty(), BufferValues.SEGMENT),
                () -> freeBytes,
                () -> 0,
                Seed.random()::nextInt,
                boot);
    }

    @AfterEach
    void stop() throws IOException {
        buffer.close();
    }

    private static FileAttributes attributes(int length) {
        return new FileAttributes(length, 1, "o", "g", 0644);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private SliceWriter slices(byte[] bytes) throws IOException {
        return slices(bytes, SLICE);
    }

    private SliceWriter slices(byte[] bytes, int slice) throws IOException {
        SliceWriter slices = new SliceWriter(buffer, nextId, new FilePath("/f" + nextId++), Codec.NONE);
        for (int at = 0; at < bytes.length; at += slice) {
            slices.append(ByteBuffer.wrap(bytes, at, Math.min(slice, bytes.length - at)));
        }
        return slices;
    }

    private BufferedFile share(byte[] bytes) throws IOException {
        return slices(bytes).share(appender, attributes(bytes.length)).orElseThrow();
    }

    private BufferedFile small(byte[] bytes) throws IOException {
        long id = nextId++;
        return appender.append(
                id, new FilePath("/f" + id), attributes(bytes.length), Codec.NONE, ByteBuffer.wrap(bytes));
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("segments"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    private static byte[] read(FileBuffer from, BufferedFile file) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) file.attributes().length());
        for (BufferedFile.Part part : from.parts(file).orElseThrow()) {
            Extent extent = part.extent();
            all.put(ExtentCodec.decode("test", extent, part.segment().read(extent)));
        }
        return all.array();
    }

    /** Returns the only segment of a file. */
    private BufferSegment segment(BufferedFile file) {
        List<BufferSegment> all = buffer.parts(file).orElseThrow().stream()
                .map(BufferedFile.Part::segment)
                .distinct()
                .toList();
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void smallAndSlicedFilesShareASegmentAndTheSlicesOwnSegmentGoes() throws Exception {
        byte[] few = bytes(500);
        byte[] many = bytes(3 * SLICE + 1);
        BufferedFile small = small(few);
        BufferedFile sliced = share(many);
        assertThat(files(BufferRecovery.DEDICATED)).hasSize(1);
        assertThat(sliced.appended()).isNotDone();
        appender.step();
        assertThat(small.appended()).isCompleted();
        assertThat(sliced.appended()).isCompleted();
        assertThat(segment(sliced)).isSameAs(segment(small));
        assertThat(read(buffer, sliced)).isEqualTo(many);
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
        assertThat(buffer.bufferedBytes()).isEqualTo(few.length + many.length);
    }

    @Test
    void slicesStayInMemoryAsLongAsItLastsAndGiveItBack() throws Exception {
        Semaphore memory = new Semaphore(5 * SLICE);
        byte[] many = bytes(3 * SLICE);
        SliceWriter first = held(many, memory, BLOB);
        assertThat(memory.availablePermits()).isEqualTo(2 * SLICE);
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
        // The third slice has no memory any more: all three go to the disk.
        SliceWriter second = held(many, memory, BLOB);
        assertThat(memory.availablePermits()).isEqualTo(2 * SLICE);
        assertThat(files(BufferRecovery.DEDICATED)).hasSize(1);
        BufferedFile one = first.share(appender, attributes(many.length)).orElseThrow();
        BufferedFile other = second.share(appender, attributes(many.length)).orElseThrow();
        appender.step();
        assertThat(read(buffer, one)).isEqualTo(many);
        assertThat(read(buffer, other)).isEqualTo(many);
        assertThat(segment(one)).isSameAs(segment(other));
        assertThat(memory.availablePermits()).isEqualTo(5 * SLICE);
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
    }

    @Test
    void memoryOfAFileThatEndsInAnotherWayIsGivenBack() throws Exception {
        Semaphore memory = new Semaphore(5 * SLICE);
        byte[] many = bytes(3 * SLICE);
        held(many, memory, BLOB).abort();
        assertThat(memory.availablePermits()).isEqualTo(5 * SLICE);
        assertThat(buffer.bufferedBytes()).isZero();
        BufferedFile alone = held(many, memory, BLOB).finish(attributes(many.length));
        assertThat(segment(alone).dedicated()).isTrue();
        assertThat(read(buffer, alone)).isEqualTo(many);
        assertThat(memory.availablePermits()).isEqualTo(5 * SLICE);
        // A file that grows beyond the size goes to the disk.
        SliceWriter large = held(bytes(5 * SLICE), memory, 4 * SLICE);
        assertThat(memory.availablePermits()).isEqualTo(5 * SLICE);
        assertThat(files(BufferRecovery.DEDICATED)).hasSize(2);
        large.abort();
        SliceWriter waiting = held(many, memory, BLOB);
        appender.close();
        assertThatThrownBy(() -> waiting.share(appender, attributes(many.length)))
                .isInstanceOf(IOException.class);
        waiting.abort();
        assertThat(memory.availablePermits()).isEqualTo(5 * SLICE);
    }

    private SliceWriter held(byte[] bytes, Semaphore memory, long most) throws IOException {
        SliceWriter slices = new SliceWriter(buffer, nextId, new FilePath("/f" + nextId++), Codec.NONE, most, memory);
        for (int at = 0; at < bytes.length; at += SLICE) {
            slices.append(ByteBuffer.wrap(bytes, at, Math.min(SLICE, bytes.length - at)));
        }
        return slices;
    }

    @Test
    void aFileIsNeverInTwoSharedSegments() throws Exception {
        for (int i = 0; i < 12; i++) {
            BufferedFile file = share(bytes(2 * SLICE + SLICE / 2));
            appender.step();
            buffer.granted(file, 10 + i);
            BufferSegment only = segment(file);
            assertThat(only.dedicated()).isFalse();
            assertThat(only.position()).isLessThan(BLOB + 3 * SLICE);
        }
        assertThat(buffer.contents()).hasSize(3);
    }

    @Test
    void aDamagedSliceFailsItsFileAndNoOther() throws Exception {
        byte[] few = bytes(500);
        BufferedFile damaged = share(bytes(2 * SLICE));
        Path slices = files(BufferRecovery.DEDICATED).get(0);
        try (FileChannel channel = FileChannel.open(slices, StandardOpenOption.WRITE)) {
            int written = channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), Files.size(slices) - SLICE / 2);
            assertThat(written).isEqualTo(4);
        }
        BufferedFile small = small(few);
        appender.step();
        assertThat(small.appended()).isCompleted();
        assertThatThrownBy(damaged.appended()::join).hasCauseInstanceOf(CorruptBlobException.class);
        buffer.drop(damaged);
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
        assertThat(buffer.bufferedBytes()).isEqualTo(few.length);
        assertThat(read(buffer, small)).isEqualTo(few);
        byte[] later = bytes(2 * SLICE);
        BufferedFile next = share(later);
        appender.step();
        assertThat(read(buffer, next)).isEqualTo(later);
    }

    @Test
    void aDiskWithoutRoomForTheCopyKeepsTheSlicesInTheirOwnSegment() throws Exception {
        // More than the buffer has left of its last question to the disk.
        byte[] many = bytes(6 << 20);
        SliceWriter slices = slices(many, 1 << 20);
        freeBytes = 0;
        assertThat(slices.share(appender, attributes(many.length))).isEmpty();
        BufferedFile alone = slices.finish(attributes(many.length));
        assertThat(alone.appended()).isCompleted();
        assertThat(buffer.parts(alone).orElseThrow())
                .allMatch(part -> part.segment().dedicated());
        assertThat(read(buffer, alone)).isEqualTo(many);
    }

    @Test
    void anAppenderThatHasStoppedFailsSlicedFilesAndGivesTheirSpaceBack() throws Exception {
        BufferedFile waiting = share(bytes(2 * SLICE));
        SliceWriter later = slices(bytes(2 * SLICE));
        appender.close();
        assertThat(waiting.appended()).isCompletedExceptionally();
        assertThatThrownBy(() -> later.share(appender, attributes(2 * SLICE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("write the file again");
        buffer.drop(waiting);
        later.abort();
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
        assertThat(buffer.bufferedBytes()).isZero();
    }

    @Test
    void slicesThatACrashLeftBesideTheirCopyDoNotHideTheFile() throws Exception {
        byte[] many = bytes(3 * SLICE);
        SliceWriter slices = slices(many);
        Path own = files(BufferRecovery.DEDICATED).get(0);
        Path left = Files.copy(own, temp.resolve("left"));
        BufferedFile file = slices.share(appender, attributes(many.length)).orElseThrow();
        appender.step();
        buffer.granted(file, 10);
        buffer.close();
        Files.move(left, own);
        buffer = open("second boot");
        BufferedFile found = buffer.find(file.id()).orElseThrow();
        assertThat(read(buffer, found)).isEqualTo(many);
        assertThat(files(BufferRecovery.DEDICATED)).isEmpty();
    }
}
