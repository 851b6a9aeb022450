// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    @TempDir
    private Path temp;

    private Path write(String name, List<TraceEvent> events, int eventsPerBlock) throws IOException {
        Path file = temp.resolve(name + TraceFiles.SUFFIX);
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (int i = 0; i < events.size(); i++) {
                writer.write(events.get(i));
                if ((i + 1) % eventsPerBlock == 0) {
                    writer.flush();
                }
            }
        }
        return file;
    }

    private static List<TraceEvent> all(TraceSource source) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
            events.add(next.get());
        }
        return events;
    }

    private record Read(List<TraceEvent> events, TraceReport report) {}

    private static Read read(byte[] bytes) throws IOException {
        try (TraceFileReader reader = TraceFileReader.of("test", new ByteArrayInputStream(bytes))) {
            List<TraceEvent> events = all(reader);
            return new Read(events, reader.report());
        }
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        List<TraceEvent> events = Events.random(1, 40_000);
        Path file = write("trace", events, 1 << 30);
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            assertThat(all(reader)).isEqualTo(events);
            assertThat(reader.report().isWhole()).isTrue();
            assertThat(reader.report().events()).isEqualTo(events.size());
        }
    }

    @Test
    void timesAreKeptToATick() throws IOException {
        Path file = temp.resolve("fine.htfs");
        TraceEvent event = new TraceEventBuilder(Call.OPEN)
                .at(1_700_000_000_123_456_789L, 987_654_321)
                .duration(1_234_567)
                .build();
        TraceEvent later = new TraceEventBuilder(Call.OPEN)
                .at(1_700_000_000_123_456_789L + 77, 987_654_321 + 77)
                .duration(999)
                .build();
        try (TraceFileWriter writer = TraceFileWriter.create(file, new TraceFileWriter.FileOptions(1, 1))) {
            writer.write(event);
            writer.write(later);
        }
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            assertThat(all(reader)).containsExactly(event, later);
        }
    }

    @Test
    void aStepOfTheWallClockStartsABlockAndIsKept() throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        long hour = 3_600_000_000_000L;
        for (int i = 0; i < 10; i++) {
            long wall = 1_700_000_000_000_000_000L + i * 1_000_000L - (i >= 5 ? hour : 0);
            events.add(new TraceEventBuilder(Call.SEEK).at(wall, i * 1_000_000L).build());
        }
        Path file = write("stepped", events, 1 << 30);
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            assertThat(all(reader)).isEqualTo(events);
        }
    }

    @Test
    void droppedEventsAreCounted() throws IOException {
        Path file = temp.resolve("dropped.htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            writer.dropped(3);
            writer.write(Events.random(1, 1).get(0));
            writer.flush();
            writer.dropped(4);
        }
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            assertThat(all(reader)).hasSize(1);
            assertThat(reader.report().dropped()).isEqualTo(7);
        }
    }

    @Test
    void aFlushedFileIsReadableThoughItsWriterNeverClosesIt() throws IOException {
        Path file = temp.resolve("open.htfs");
        List<TraceEvent> events = Events.random(2, 100);
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (TraceEvent event : events) {
                writer.write(event);
            }
            writer.flush();
            assertThat(writer.length()).isEqualTo(Files.size(file));
            assertThat(read(Files.readAllBytes(file)).events()).isEqualTo(events);
        }
    }

    @Test
    void everyFlippedBitIsDetectedAndCostsAtMostItsBlock() throws IOException {
        List<TraceEvent> events = Events.random(3, 60);
        byte[] bytes = Files.readAllBytes(write("flipped", events, 20));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            if (bit / 8 < TraceLayout.HEADER_SIZE) {
                assertThatIOException().as("bit %d", bit).isThrownBy(() -> read(flipped));
            } else {
                Read read = read(flipped);
                assertThat(read.report().isWhole()).as("bit %d", bit).isFalse();
                assertThat(read.events()).as("bit %d", bit).hasSize(40).isSubsetOf(events);
            }
        }
    }

    @Test
    void aTornFileIsReadableUpToTheTear() throws IOException {
        List<TraceEvent> events = Events.random(4, 60);
        byte[] bytes = Files.readAllBytes(write("torn", events, 20));
        for (int length = 0; length < bytes.length; length++) {
            Read read = read(Arrays.copyOf(bytes, length));
            assertThat(read.events()).isEqualTo(events.subList(0, read.events().size()));
            boolean betweenBlocks = !read.report().torn();
            assertThat(betweenBlocks)
                    .as("length %d", length)
                    .isEqualTo(read.report().isWhole());
            assertThat(read.events().size() % 20).isZero();
        }
    }

    @Test
    void garbageBetweenBlocksIsSkipped() throws IOException {
        List<TraceEvent> events = Events.random(5, 20);
        byte[] bytes = Files.readAllBytes(write("garbage", events, 10));
        int first = TraceLayout.HEADER_SIZE
                + TraceLayout.BLOCK_HEADER_SIZE
                + TraceLayout.fields(bytes).getInt(TraceLayout.HEADER_SIZE + TraceLayout.STORED_AT);
        byte[] noise = new byte[1_000];
        Seed.random().nextBytes(noise);
        ByteBuffer mixed = ByteBuffer.allocate(bytes.length + noise.length)
                .put(bytes, 0, first)
                .put(noise)
                .put(bytes, first, bytes.length - first);
        Read read = read(mixed.array());
        assertThat(read.events()).isEqualTo(events);
        assertThat(read.report().skippedBytes()).isEqualTo(noise.length);
    }

    @Test
    void hostilePayloadsWithRightChecksumsAreCountedAndNotBelieved() throws IOException {
        Random random = Seed.random();
        byte[] bytes = Files.readAllBytes(write("hostile", Events.random(8, 50), 50));
        int damaged = 0;
        for (int i = 0; i < 2_000; i++) {
            byte[] payload = new byte[1 + random.nextInt(300)];
            random.nextBytes(payload);
            byte[] deflated = new byte[payload.length + 64];
            Deflater deflater = new Deflater(6, true);
            deflater.setInput(payload);
            deflater.finish();
            int stored = deflater.deflate(deflated);
            deflater.end();
            ByteBuffer file = ByteBuffer.allocate(TraceLayout.HEADER_SIZE + TraceLayout.BLOCK_HEADER_SIZE + stored)
                    .put(bytes, 0, TraceLayout.HEADER_SIZE);
            file.put(blockHeader(stored, payload.length, 1 + random.nextInt(1_000), deflated))
                    .put(deflated, 0, stored);
            damaged += (int) read(file.array()).report().damagedBlocks();
        }
        assertThat(damaged).isGreaterThan(1_990);
    }

    private static byte[] blockHeader(int stored, int inflated, int events, byte[] payload) {
        byte[] bytes = new byte[TraceLayout.BLOCK_HEADER_SIZE];
        ByteBuffer header = TraceLayout.fields(bytes);
        header.putInt(0, TraceLayout.BLOCK_MAGIC)
                .putInt(TraceLayout.STORED_AT, stored)
                .putInt(TraceLayout.INFLATED_AT, inflated)
                .putInt(TraceLayout.EVENTS_AT, events)
                .putInt(TraceLayout.PAYLOAD_CRC_AT, TraceLayout.crc(payload, 0, stored));
        header.putInt(TraceLayout.BLOCK_CRC_AT, TraceLayout.crc(bytes, 0, TraceLayout.BLOCK_CRC_AT));
        return bytes;
    }

    @Test
    void aBombIsRefusedWithoutInflatingIt() throws IOException {
        byte[] bytes = Files.readAllBytes(write("bomb", Events.random(9, 1), 1));
        ByteBuffer file = ByteBuffer.allocate(TraceLayout.HEADER_SIZE + TraceLayout.BLOCK_HEADER_SIZE + 10)
                .put(bytes, 0, TraceLayout.HEADER_SIZE)
                .put(blockHeader(10, Integer.MAX_VALUE, 5, new byte[10]));
        TraceReport report = read(file.array()).report();
        assertThat(report.events()).isZero();
        assertThat(report.isWhole()).isFalse();
    }

    /** Thirty kilobytes that claim thirty million texts of a letter each, which would take a gigabyte. */
    @Test
    void aBlockOfMoreTextsThanAReaderHoldsIsCountedAndNotBelieved() throws IOException {
        byte[] bytes = Files.readAllBytes(write("texts", Events.random(9, 1), 1));
        byte[] payload = new byte[32_000_000];
        ColumnOutput head = new ColumnOutput();
        head.fixed8(0);
        head.varint(15_000_000);
        System.arraycopy(head.bytes(), 0, payload, 0, head.size());
        for (int at = head.size(); at + 1 < payload.length; at += 2) {
            payload[at] = 1;
            payload[at + 1] = 'a';
        }
        byte[] deflated = new byte[1 << 20];
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(payload);
        deflater.finish();
        int stored = deflater.deflate(deflated);
        assertThat(deflater.finished()).isTrue();
        deflater.end();
        ByteBuffer file = ByteBuffer.allocate(TraceLayout.HEADER_SIZE + TraceLayout.BLOCK_HEADER_SIZE + stored)
                .put(bytes, 0, TraceLayout.HEADER_SIZE);
        file.put(blockHeader(stored, payload.length, 5, deflated)).put(deflated, 0, stored);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        TraceReport report = read(file.array()).report();
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
        assertThat(report.damagedBlocks()).isOne();
        assertThat(report.lostEvents()).isEqualTo(5);
    }

    @Test
    void anotherFileIsRefusedByName() throws IOException {
        Path other = temp.resolve("notes.txt");
        Files.writeString(other, "these are notes and not a trace");
        assertThatIOException()
                .isThrownBy(() -> TraceFileReader.open(other).close())
                .withMessageContaining("notes.txt");
    }

    @Test
    void aNewerVersionIsRefusedWithAdvice() throws IOException {
        byte[] bytes = Files.readAllBytes(write("newer", Events.random(9, 1), 1));
        ByteBuffer header = TraceLayout.fields(bytes);
        header.putInt(TraceLayout.VERSION_AT, 3);
        header.putInt(TraceLayout.HEADER_CRC_AT, TraceLayout.crc(bytes, 0, TraceLayout.HEADER_CRC_AT));
        assertThatIOException().isThrownBy(() -> read(bytes)).withMessageContaining("version 3");
    }

    @Test
    void severalFilesAreMergedByTime() throws IOException {
        List<TraceEvent> first = Events.random(10, 500);
        List<TraceEvent> second = Events.random(11, 700);
        write("a", first, 100);
        write("b", second, 100);
        try (TraceFiles files = TraceFiles.open(List.of(temp))) {
            List<TraceEvent> expected = Stream.concat(first.stream(), second.stream())
                    .sorted(Comparator.comparingLong(TraceEvent::wallNanos))
                    .toList();
            assertThat(all(files)).isEqualTo(expected);
            assertThat(files.report().events()).isEqualTo(1_200);
        }
    }

    @Test
    void filesOfAnotherVersionAreCountedAndTheOthersRead() throws IOException {
        List<TraceEvent> events = Events.random(12, 100);
        write("a", events, 100);
        byte[] newer = Files.readAllBytes(write("b", events, 100));
        ByteBuffer header = TraceLayout.fields(newer);
        header.putInt(TraceLayout.VERSION_AT, 3);
        header.putInt(TraceLayout.HEADER_CRC_AT, TraceLayout.crc(newer, 0, TraceLayout.HEADER_CRC_AT));
        Path file = temp.resolve("b.htfs");
        Files.write(file, newer);
        Files.writeString(temp.resolve("c.htfs"), "these are notes and not a trace");
        try (TraceFiles files = TraceFiles.open(List.of(temp))) {
            assertThat(all(files)).isEqualTo(events);
            assertThat(files.report().unreadableFiles()).isEqualTo(2);
            assertThat(files.report().isWhole()).isFalse();
        }
        assertThatIOException()
                .isThrownBy(() -> TraceFiles.open(List.of(file)).close())
                .withMessageContaining("version 3");
    }

    @Test
    void aCallOfANewerTracerIsCountedAndTheRestOfItsEventKept() throws IOException {
        TraceEvent event = event(Call.UNKNOWN);
        Path file = write("unknown", List.of(event, event(Call.OPEN)), 2);
        try (TraceFileReader reader = TraceFileReader.open(file)) {
            assertThat(all(reader)).containsExactly(event, event(Call.OPEN));
            assertThat(reader.report().unknownCalls()).isEqualTo(1);
            assertThat(reader.report().isWhole()).isTrue();
        }
    }

    private static TraceEvent event(Call call) {
        return new TraceEventBuilder(call)
                .at(1_700_000_000_000_000_000L, 0)
                .path("/a")
                .build();
    }

    @Test
    void aDirectoryWithoutTracesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TraceFiles.open(List.of(temp)));
    }
}
