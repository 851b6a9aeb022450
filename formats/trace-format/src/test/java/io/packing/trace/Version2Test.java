// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the parts of version 2 beyond version 1: system calls, descriptors and file sizes. */
class Version2Test {
    @TempDir
    private Path temp;

    private Path write(List<TraceEvent> events) throws IOException {
        Path file = temp.resolve("v2.htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file, TraceFileWriter.FileOptions.ofVersion(2))) {
            for (TraceEvent event : events) {
                writer.write(event);
            }
        }
        return file;
    }

    private static List<TraceEvent> all(TraceFileReader reader) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (Optional<TraceEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
            events.add(next.get());
        }
        return events;
    }

    @Test
    void everyFieldOfSystemCallsIsReadBack() throws IOException {
        List<TraceEvent> events = Events.randomOfVersion2(3, 40_000);
        try (TraceFileReader reader = TraceFileReader.open(write(events))) {
            assertThat(reader.version()).isEqualTo(2);
            assertThat(all(reader)).isEqualTo(events);
            assertThat(reader.report().isWhole()).isTrue();
        }
    }

    /** A file that version 2 wrote must stay readable for ever. */
    @Test
    void theGoldenFileOfVersion2IsReadAsItWasWritten() throws IOException {
        try (InputStream golden = Objects.requireNonNull(getClass().getResourceAsStream("/golden-v2.htfs"));
                TraceFileReader reader = TraceFileReader.of("golden-v2.htfs", golden)) {
            assertThat(all(reader)).isEqualTo(Events.randomOfVersion2(42, 300));
            assertThat(reader.report().isWhole()).isTrue();
        }
    }

    @Test
    void eventsOfVersion1FitAFileOfVersion2() throws IOException {
        List<TraceEvent> events = Events.random(5, 1_000);
        try (TraceFileReader reader = TraceFileReader.open(write(events))) {
            assertThat(all(reader)).isEqualTo(events);
        }
    }

    @Test
    void aFileOfVersion1RefusesSystemCallsAndSaysWhatToDo() throws IOException {
        try (TraceFileWriter writer = TraceFileWriter.create(temp.resolve("v1.htfs"))) {
            List<TraceEventBuilder> events = List.of(
                    new TraceEventBuilder(Call.SYS_READ),
                    new TraceEventBuilder(Call.READ).descriptor(3),
                    new TraceEventBuilder(Call.READ).fileSize(3));
            for (TraceEventBuilder event : events) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.write(event.build()))
                        .withMessageContaining("version 2");
            }
        }
    }

    @Test
    void aMergedTraceIsOfTheHighestVersionOfItsFiles() throws IOException {
        write(Events.randomOfVersion2(6, 10));
        try (TraceFiles one = TraceFiles.open(List.of(temp))) {
            assertThat(one.version()).isEqualTo(2);
        }
        Path old = temp.resolve("old.htfs");
        TraceFileWriter.create(old).close();
        try (TraceFiles two = TraceFiles.open(List.of(old))) {
            assertThat(two.version()).isEqualTo(1);
        }
        try (TraceFiles both = TraceFiles.open(List.of(temp))) {
            assertThat(both.version()).isEqualTo(2);
        }
    }

    @Test
    void sequentialCallsOnAStreamTakeFewBytesAnEvent() throws IOException {
        int count = 100_000;
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new TraceEventBuilder(i % 2 == 0 ? Call.SYS_READ : Call.SYS_WRITE)
                            .at(1_700_000_000_000_000_000L + i * 7_000L, i * 7_000L)
                            .duration(1_000L + (i * 31L % 17) * 1_000L)
                            .stream(1 + i % 2)
                            .path(i % 2 == 0 ? "/from" : "/to")
                            .descriptor(3 + i % 2)
                            .range(i / 2 * 4_096L, 4_096)
                            .result(4_096)
                            .fileSize(i % 2 == 0 ? count / 2 * 4_096L : (i / 2 + 1) * 4_096L)
                            .build());
        }
        assertThat((double) Files.size(write(events)) / count).isLessThan(2);
    }
}
