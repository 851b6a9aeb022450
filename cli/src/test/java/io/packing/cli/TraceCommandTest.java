// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trace commands on good and bad files. */
class TraceCommandTest {
    private static final int HEADER = 24;
    private static final int VERSION_AT = 8;

    @TempDir
    private Path temp;

    private Path trace(String name) throws IOException {
        Path file = temp.resolve(name);
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (int i = 0; i < 10; i++) {
                writer.write(new TraceEventBuilder(Call.CREATE)
                                .origin(new TraceOrigin("h", 1, ""))
                                .at(1_700_000_000_000_000_000L + i * 1_000_000L, i * 1_000_000L)
                                .path("/f" + i)
                                .stream(i)
                                .build());
                writer.flush();
            }
        }
        return file;
    }

    @Test
    void aTraceIsReplayedOnALocalFileSystem() throws IOException {
        Path file = trace("a.htfs");
        Path root = temp.resolve("root");
        CommandRun ran = CommandRun.of(
                "trace", "replay", "--json", "--fs", "file:///", "--root", root.toString(), file.toString());
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("\"events\" : 10", "\"call\" : \"create\"", "\"mismatches\" : 0");
        assertThat(root.resolve("f7")).exists();
        CommandRun again =
                CommandRun.of("trace", "replay", "--fs", "file:///", "--root", root.toString(), file.toString());
        assertThat(again.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(again.err()).contains("is not empty");
    }

    @Test
    void aTraceBecomesParquet() throws IOException {
        Path out = temp.resolve("a.parquet");
        CommandRun ran = CommandRun.of(
                "trace",
                "convert",
                "--to",
                "parquet",
                "--out",
                out.toString(),
                trace("a.htfs").toString());
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(Files.readAllBytes(out)).startsWith('P', 'A', 'R', '1').endsWith('P', 'A', 'R', '1');
    }

    @Test
    void aTruncatedTraceIsReadToItsTearAndVerifySaysSo() throws IOException {
        byte[] bytes = Files.readAllBytes(trace("a.htfs"));
        Path torn = temp.resolve("torn.htfs");
        Files.write(torn, Arrays.copyOf(bytes, bytes.length - 10));
        CommandRun ran = CommandRun.of("trace", "verify", torn.toString());
        assertThat(ran.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(ran.out()).contains("9 events", "torn at the end", "unreadable bytes");
    }

    @Test
    void aDamagedBlockIsPassedOverAndCounted() throws IOException {
        byte[] bytes = Files.readAllBytes(trace("a.htfs"));
        bytes[bytes.length - 3] ^= 1;
        Path damaged = temp.resolve("damaged.htfs");
        Files.write(damaged, bytes);
        CommandRun ran = CommandRun.of("trace", "verify", damaged.toString());
        assertThat(ran.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(ran.out()).contains("9 events", "1 damaged blocks", "1 events lost in them");
    }

    @Test
    void anEmptyFileIsAnEmptyTornTrace() throws IOException {
        Path empty = Files.createFile(temp.resolve("empty.htfs"));
        CommandRun ran = CommandRun.of("trace", "summary", empty.toString());
        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(ran.out()).contains("0 events");
        assertThat(ran.err()).contains("torn at the end");
    }

    @Test
    void aFileOfANewerVersionAmongOthersIsCountedAndAloneRefusedWithAdvice() throws IOException {
        trace("a.htfs");
        Path newer = trace("b.htfs");
        byte[] bytes = Files.readAllBytes(newer);
        bytes[VERSION_AT] = 3;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, HEADER - Integer.BYTES);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(HEADER - Integer.BYTES, (int) crc.getValue());
        Files.write(newer, bytes);
        CommandRun ran = CommandRun.of("trace", "summary", temp.toString());
        assertThat(ran.exitCode()).as(ran.err()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(ran.out()).contains("10 events");
        assertThat(ran.err()).contains("1 files that are no trace of this version");
        CommandRun verified = CommandRun.of("trace", "verify", temp.toString());
        assertThat(verified.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(verified.out()).contains("10 events", "1 files that are no trace of this version");
        CommandRun alone = CommandRun.of("trace", "summary", newer.toString());
        assertThat(alone.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(alone.err()).contains("b.htfs", "version 3", "use a newer one");
    }

    private Path damaged() throws IOException {
        byte[] bytes = Files.readAllBytes(trace("a.htfs"));
        bytes[bytes.length - 3] ^= 1;
        Files.write(temp.resolve("damaged.htfs"), bytes);
        Files.delete(temp.resolve("a.htfs"));
        return temp.resolve("damaged.htfs");
    }

    @Test
    void everyCommandReadsWhatItCanOfADamagedTraceCountsTheRestAndEndsWithTheCodeForIt() throws IOException {
        String damaged = damaged().toString();
        Path key = Files.writeString(temp.resolve("key"), "0123456789abcdef");
        List<List<String>> commands = List.of(
                List.of("cat"),
                List.of("summary"),
                List.of("verify"),
                List.of("merge", "--out", temp.resolve("merged.htfs").toString()),
                List.of(
                        "convert",
                        "--to",
                        "jsonl",
                        "--out",
                        temp.resolve("a.jsonl").toString()),
                List.of(
                        "anonymize",
                        "--key-file",
                        key.toString(),
                        "--out",
                        temp.resolve("anonymous.htfs").toString()),
                List.of(
                        "replay",
                        "--fs",
                        "file:///",
                        "--root",
                        temp.resolve("root").toString()));
        for (List<String> command : commands) {
            List<String> line = new ArrayList<>(List.of("trace"));
            line.addAll(command);
            line.add(damaged);
            CommandRun ran = CommandRun.of(line.toArray(String[]::new));
            assertThat(ran.exitCode()).as("%s: %s", command, ran.err()).isEqualTo(ExitCodes.CORRUPT);
            assertThat(ran.err()).as("%s", command).contains("1 damaged blocks", "1 events lost in them");
        }
        assertThat(Files.readAllLines(temp.resolve("a.jsonl"))).hasSize(9);
        CommandRun merged =
                CommandRun.of("trace", "verify", temp.resolve("merged.htfs").toString());
        assertThat(merged.exitCode()).as(merged.err()).isZero();
        assertThat(merged.out()).contains("9 events");
    }

    @Test
    void everyCommandWorksOnThePartThatIsAskedFor() throws IOException {
        String file = trace("a.htfs").toString();
        CommandRun cat = CommandRun.of("trace", "cat", "--under", "/f3,/f4,/f5", "--not-under", "/f4", file);
        assertThat(cat.out().lines()).hasSize(2);
        CommandRun none = CommandRun.of("trace", "cat", "--call", "open", file);
        assertThat(none.out()).isEmpty();
        assertThat(none.exitCode()).isZero();
        // Its events are a millisecond apart.
        String since = Instant.ofEpochSecond(1_700_000_000, 2_000_000).toString();
        String until = Instant.ofEpochSecond(1_700_000_000, 6_000_000).toString();
        CommandRun summary = CommandRun.of("trace", "summary", "--since", since, "--until", until, file);
        assertThat(summary.out()).contains("4 events for 4 calls");
        Path out = temp.resolve("part.htfs");
        CommandRun merge =
                CommandRun.of("trace", "merge", "--since", since, "--call", "create", "--out", out.toString(), file);
        assertThat(merge.out()).contains("10 events", "8 of them written");
        CommandRun replay = CommandRun.of(
                "trace",
                "replay",
                "--json",
                "--fs",
                "file:///",
                "--root",
                temp.resolve("r").toString(),
                "--under",
                "/f7",
                file);
        assertThat(replay.out()).contains("\"events\" : 1,");
        CommandRun wrong = CommandRun.of("trace", "cat", "--call", "opn", file);
        assertThat(wrong.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(wrong.err()).contains("opn");
    }

    @Test
    void callsOfANewerTracerAreShownCountedAndNamed() throws IOException {
        Path file = temp.resolve("newer.htfs");
        try (InputStream golden = Objects.requireNonNull(getClass().getResourceAsStream("/newer-calls-v1.htfs"))) {
            Files.copy(golden, file);
        }
        CommandRun cat = CommandRun.of("trace", "cat", file.toString());
        assertThat(cat.out().lines()).hasSize(6);
        assertThat(cat.out()).containsPattern("unknown");
        assertThat(cat.err()).contains("3 events of calls that this version does not know");
        assertThat(cat.exitCode()).isZero();
        CommandRun verify = CommandRun.of("trace", "verify", file.toString());
        assertThat(verify.out()).contains("6 events", "3 of calls that this version does not know");
        CommandRun analyze = CommandRun.of(
                "trace", "analyze", "--out", temp.resolve("report").toString(), file.toString());
        assertThat(analyze.exitCode()).as(analyze.err()).isZero();
        assertThat(analyze.out()).contains("6 events", "3 events of calls that this version does not know");
        CommandRun replay = CommandRun.of(
                "trace",
                "replay",
                "--fs",
                "file:///",
                "--root",
                temp.resolve("root").toString(),
                file.toString());
        assertThat(replay.out()).contains("not replayed: 3 of unknown");
    }
}
