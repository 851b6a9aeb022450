// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
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

/** Tests of calls that only a newer tracer knows: one of a file system, one of an input and one of an output stream. */
class NewerCallsTest {
    private static final int[] IDS = {0, 79, 0, 148, 200, 0};

    @TempDir
    private Path temp;

    private static List<TraceEvent> events(boolean withNewer) {
        TraceOrigin origin = new TraceOrigin("newer", 3, "client");
        List<TraceEvent> events = new ArrayList<>();
        Call[] calls = {Call.OPEN, Call.ACCESS, Call.PREAD, Call.READ_VECTORED, Call.WRITE, Call.CLOSE_INPUT};
        for (int i = 0; i < calls.length; i++) {
            boolean moves = calls[i] != Call.ACCESS && calls[i] != Call.OPEN && calls[i] != Call.CLOSE_INPUT;
            events.add(new TraceEventBuilder(withNewer && IDS[i] != 0 ? Call.UNKNOWN : calls[i])
                            .origin(origin)
                            .at(1_700_000_000_000_000_000L + i * 1_000_000L, i * 1_000_000L)
                            .duration(i * 1_000L)
                            .caller("main", "ann", "")
                            .fileSystem(1)
                            .stream(i == 1 ? TraceEvent.NONE : 4)
                            .path("/a/file")
                            .range(moves ? i * 100L : TraceEvent.NONE, moves ? 100 : TraceEvent.NONE)
                            .result(moves ? 100 : TraceEvent.NONE)
                            .build());
        }
        return events;
    }

    private static void isReadButForTheNewerCalls(byte[] bytes) throws IOException {
        List<TraceEvent> read = new ArrayList<>();
        try (TraceFileReader reader = TraceFileReader.of("newer", new ByteArrayInputStream(bytes))) {
            for (Optional<TraceEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                read.add(next.get());
            }
            assertThat(reader.report()).isEqualTo(new TraceReport(6, 0, 3, 0, 0, 0, 0, false));
        }
        // Events behind the unknown calls too, although each event is stored as a difference from the one before.
        assertThat(read).isEqualTo(events(true));
    }

    @Test
    void callsOfANewerTracerAreCountedAndEverythingElseOfThemIsKept() throws Exception {
        Path file = temp.resolve("a.htfs");
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (TraceEvent event : events(false)) {
                writer.write(event);
            }
        }
        isReadButForTheNewerCalls(NewerCalls.in(Files.readAllBytes(file), IDS));
    }

    @Test
    void theGoldenFileOfANewerTracerIsRead() throws IOException {
        try (InputStream golden = Objects.requireNonNull(getClass().getResourceAsStream("/newer-calls-v1.htfs"))) {
            isReadButForTheNewerCalls(golden.readAllBytes());
        }
    }
}
