// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFilter;
import io.packing.trace.TraceSelection;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of torn, corrupt, empty or foreign input: the readable part is analyzed, and the rest is counted. */
class DamagedTraceTest {
    private static final String FILE = RegionServer.STORE + "Actions/f";
    private static final int BLOCK_EVENTS = 100;

    @TempDir
    private Path directory;

    @Test
    void aTornFileIsReadUpToTheTear() throws Exception {
        Path file = trace("torn.htfs");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
        Findings found = analyze(file);
        assertThat(found.input().tornFiles()).isEqualTo(1);
        assertThat(found.input().events()).isEqualTo(2 * BLOCK_EVENTS);
        assertThat(found.allIo().read()).isEqualTo((2 * BLOCK_EVENTS - 1) * 10L);
    }

    @Test
    void aDamagedBlockIsPassedOverAndCounted() throws Exception {
        Path file = trace("damaged.htfs");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 5] ^= 1;
        Files.write(file, bytes);
        Findings found = analyze(file);
        assertThat(found.input().damagedBlocks()).isEqualTo(1);
        assertThat(found.input().lostEvents()).isEqualTo(BLOCK_EVENTS);
        assertThat(found.input().events()).isEqualTo(2 * BLOCK_EVENTS);
        assertThat(found.input().isWhole()).isFalse();
    }

    @Test
    void anEmptyFileAndAFileThatIsNoTraceDoNotStopTheOthers() throws Exception {
        Path good = trace("good.htfs");
        Path empty = Files.createFile(directory.resolve("empty.htfs"));
        Path text = Files.writeString(directory.resolve("text.htfs"), "this is not a trace at all, whatever its name");
        Findings found = analyze(good, empty, text);
        assertThat(found.input().files()).isEqualTo(3);
        assertThat(found.input().events()).isEqualTo(3 * BLOCK_EVENTS);
        assertThat(found.input().unreadable()).singleElement().asString().contains("text.htfs");
    }

    @Test
    void callsOfANewerTracerAreCountedAndReportedAndWhatIsKnownIsAnalyzed() throws Exception {
        Path file = directory.resolve("newer.htfs");
        try (InputStream golden = Objects.requireNonNull(getClass().getResourceAsStream("/newer-calls-v1.htfs"))) {
            Files.copy(golden, file);
        }
        Findings found = analyze(file);
        assertThat(found.input().events()).isEqualTo(6);
        assertThat(found.input().unknownCalls()).isEqualTo(3);
        assertThat(found.input().isWhole()).isTrue();
        // Two of three reads and writes are of a newer tracer.
        assertThat(found.allIo().total()).isEqualTo(100);
        String html = Files.readString(AnalysisReport.write(found, directory.resolve("report")));
        assertThat(html).contains("3 calls are of a newer version");
    }

    @Test
    void onlyTheWantedEventsAreAnalyzed() throws Exception {
        Path file = trace("part.htfs");
        String work = directory.resolve("work").toUri().toString();
        TraceFilter filter =
                new TraceFilter(Set.of(Call.OPEN, Call.PREAD), List.of(RegionServer.STORE), List.of("/none"), 1);
        TraceSelection all = new TraceSelection(filter, 0, Long.MAX_VALUE);
        Findings found = new Analysis(Rules.hbase(), List.of(file.toString()), all, work, Optional.empty(), 1)
                .run((number, of, what) -> {});
        assertThat(found.allIo().read()).isEqualTo((3 * BLOCK_EVENTS - 1) * 10L);
        TraceSelection elsewhere =
                new TraceSelection(new TraceFilter(Set.of(), List.of("/else where"), List.of(), 1), 0, Long.MAX_VALUE);
        Findings nothing = new Analysis(Rules.hbase(), List.of(file.toString()), elsewhere, work, Optional.empty(), 1)
                .run((number, of, what) -> {});
        assertThat(nothing.allIo().total()).isZero();
        assertThat(nothing.input().events()).isEqualTo(3 * BLOCK_EVENTS);
    }

    @Test
    void nothingButAnEmptyTraceGivesAReport() throws Exception {
        Findings found = analyze(new RegionServer("rs-1").save(directory.resolve("nothing.htfs")));
        assertThat(found.input().isWhole()).isTrue();
        assertThat(found.allIo().total()).isZero();
        assertThat(AnalysisReport.write(found, directory.resolve("report"))).exists();
    }

    @Test
    void aMissingTraceIsNamed() {
        Path missing = directory.resolve("missing.htfs");
        assertThatThrownBy(() -> analyze(missing))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("missing.htfs");
        assertThatThrownBy(() -> analyze(directory)).hasMessageContaining("no trace files");
    }

    /** Writes three blocks of a hundred events each; all but the first event read 10 bytes. */
    private Path trace(String name) throws IOException {
        RegionServer server = new RegionServer("rs-1");
        long stream = server.open(FILE, 1_000_000);
        for (int i = 1; i < 3 * BLOCK_EVENTS; i++) {
            server.read(Call.PREAD, stream, FILE, i * 100L, 10);
        }
        Path file = directory.resolve(name);
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            int written = 0;
            for (TraceEvent event : server.events()) {
                writer.write(event);
                if (++written % BLOCK_EVENTS == 0) {
                    writer.flush();
                }
            }
        }
        return file;
    }

    private Findings analyze(Path... traces) throws IOException, InterruptedException {
        String work = directory.resolve("work").toUri().toString();
        List<String> names = List.of(traces).stream().map(Path::toString).toList();
        return new Analysis(Rules.hbase(), names, work, Optional.empty(), 1).run((number, of, what) -> {});
    }
}
