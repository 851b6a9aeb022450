// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatingTraceWriterTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);
    private static final TraceOrigin ORIGIN = new TraceOrigin("host/a", 17, "");

    @TempDir
    private Path temp;

    private long now;

    private RotatingTraceWriter writer(Path directory, long maxBytes) {
        return new RotatingTraceWriter(
                new RotatingTraceWriter.RotationOptions(
                        directory, maxBytes, Duration.ofSeconds(60), TraceFileWriter.FileOptions.DEFAULT),
                ORIGIN,
                CLOCK,
                () -> now);
    }

    private record Read(List<TraceEvent> events, TraceReport report) {}

    private static Read read(Path directory) throws IOException {
        try (TraceFiles files = TraceFiles.open(List.of(directory))) {
            List<TraceEvent> events = new ArrayList<>();
            for (Optional<TraceEvent> next = files.next(); next.isPresent(); next = files.next()) {
                events.add(next.get());
            }
            return new Read(events, files.report());
        }
    }

    @Test
    void aFileEndsAtItsSizeAndNothingIsLostBetweenFiles() throws IOException {
        List<TraceEvent> events = Events.random(1, 5_000);
        try (RotatingTraceWriter writer = writer(temp, 10_000)) {
            for (int i = 0; i < events.size(); i++) {
                writer.write(events.get(i));
                if (i % 100 == 99) {
                    writer.flush();
                }
            }
        }
        assertThat(TraceFiles.expand(List.of(temp)).size()).isGreaterThan(3);
        assertThat(read(temp).events()).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void aFileEndsAtItsAgeEvenWhenNothingIsWritten() throws IOException {
        List<TraceEvent> events = Events.random(2, 2);
        try (RotatingTraceWriter writer = writer(temp, 1 << 20)) {
            writer.write(events.get(0));
            now += Duration.ofSeconds(59).toNanos();
            writer.rotate();
            assertThat(read(temp).events()).isEmpty();
            now += Duration.ofSeconds(1).toNanos();
            writer.rotate();
            assertThat(read(temp).events()).containsExactly(events.get(0));
            writer.write(events.get(1));
        }
        assertThat(TraceFiles.expand(List.of(temp))).hasSize(2);
    }

    @Test
    void aProcessWithoutEventsLeavesNoFile() throws IOException {
        Path directory = temp.resolve("none");
        writer(directory, 1).close();
        assertThat(directory).doesNotExist();
    }

    @Test
    void twoProcessesOfOneNameDoNotTouchEachOthersFiles() throws IOException {
        List<TraceEvent> events = Events.random(3, 200);
        try (RotatingTraceWriter one = writer(temp, 100);
                RotatingTraceWriter other = writer(temp, 100)) {
            for (int i = 0; i < events.size(); i++) {
                RotatingTraceWriter writer = i % 2 == 0 ? one : other;
                writer.write(events.get(i));
                writer.flush();
            }
        }
        Read read = read(temp);
        assertThat(read.events()).containsExactlyInAnyOrderElementsOf(events);
        assertThat(read.report().isWhole()).isTrue();
    }

    @Test
    void aDirectoryThatVanishesIsMadeAgainForTheNextFile() throws IOException {
        Path directory = temp.resolve("trace");
        List<TraceEvent> events = Events.random(4, 2);
        try (RotatingTraceWriter writer = writer(directory, 1)) {
            writer.write(events.get(0));
            writer.flush();
            removeAll(directory);
            writer.write(events.get(1));
        }
        assertThat(read(directory).events()).containsExactly(events.get(1));
        assertThat(read(directory).report().dropped()).isEqualTo(1);
    }

    @Test
    void whatWasInARemovedFileIsCountedInTheNextOne() throws IOException {
        Path directory = temp.resolve("trace");
        List<TraceEvent> events = Events.random(6, 10);
        try (RotatingTraceWriter writer = writer(directory, 1 << 20)) {
            writer.dropped(7);
            for (int i = 0; i < 5; i++) {
                writer.write(events.get(i));
            }
            writer.flush();
            writer.write(events.get(5));
            removeAll(directory);
            // The writer does not write now, so only a look finds the removal.
            writer.rotate();
            assertThat(writer.lost()).isEqualTo(6);
            for (int i = 6; i < 8; i++) {
                writer.write(events.get(i));
            }
            removeAll(directory);
            assertThatIOException().isThrownBy(writer::flush).withMessageContaining("removed");
            assertThat(writer.lost()).isEqualTo(8);
            writer.write(events.get(8));
        }
        Read read = read(directory);
        assertThat(read.events()).containsExactly(events.get(8));
        assertThat(read.report().dropped()).isEqualTo(7 + 8);
    }

    private static void removeAll(Path directory) throws IOException {
        for (Path file : TraceFiles.expand(List.of(directory))) {
            Files.delete(file);
        }
        Files.delete(directory);
    }

    @Test
    void anEventThatNoFileCanHoldIsLostAloneAndCounted() throws IOException {
        List<TraceEvent> events = Events.random(7, 2);
        try (RotatingTraceWriter writer = writer(temp, 1 << 20)) {
            writer.write(events.get(0));
            TraceEvent huge =
                    new TraceEventBuilder(Call.OPEN).path("é".repeat(40_000)).build();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> writer.write(huge))
                    .withMessageContaining("80000");
            assertThat(writer.lost()).isEqualTo(1);
            writer.write(events.get(1));
        }
        Read read = read(temp);
        assertThat(read.events()).containsExactlyElementsOf(events);
        assertThat(read.report().dropped()).isEqualTo(1);
    }

    @Test
    void dropsThatNoFileTellsOfYetGetAFileAtTheEnd() throws IOException {
        try (RotatingTraceWriter writer = writer(temp, 1 << 20)) {
            writer.dropped(3);
        }
        Read read = read(temp);
        assertThat(read.events()).isEmpty();
        assertThat(read.report().dropped()).isEqualTo(3);
        assertThat(read.report().isWhole()).isTrue();
    }

    @Test
    void whatCannotBeWrittenIsCountedInTheNextFile() throws IOException {
        Path directory = temp.resolve("trace");
        Files.createFile(directory);
        List<TraceEvent> events = Events.random(5, 3);
        try (RotatingTraceWriter writer = writer(directory, 1 << 20)) {
            writer.dropped(5);
            assertThatIOException().isThrownBy(() -> writer.write(events.get(0)));
            assertThatIOException().isThrownBy(() -> writer.write(events.get(1)));
            assertThat(writer.lost()).isEqualTo(2);
            Files.delete(directory);
            writer.write(events.get(2));
        }
        Read read = read(directory);
        assertThat(read.events()).containsExactly(events.get(2));
        assertThat(read.report().dropped()).isEqualTo(7);
    }
}
