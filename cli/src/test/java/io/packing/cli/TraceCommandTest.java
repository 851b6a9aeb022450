package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Files.write(torn, java.util.Arrays.copyOf(bytes, bytes.length - 10));
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
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("0 events");
    }

    @Test
    void aFileOfANewerVersionAmongOthersIsCountedAndAloneRefusedWithAdvice() throws IOException {
        trace("a.htfs");
        Path newer = trace("b.htfs");
        byte[] bytes = Files.readAllBytes(newer);
        bytes[VERSION_AT] = 2;
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes, 0, HEADER - Integer.BYTES);
        java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).putInt(HEADER - Integer.BYTES, (int)
                crc.getValue());
        Files.write(newer, bytes);
        CommandRun ran = CommandRun.of("trace", "summary", temp.toString());
        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("10 events");
        CommandRun verified = CommandRun.of("trace", "verify", temp.toString());
        assertThat(verified.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(verified.out()).contains("10 events", "1 files that are no trace of this version");
        CommandRun alone = CommandRun.of("trace", "summary", newer.toString());
        assertThat(alone.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(alone.err()).contains("b.htfs", "version 2", "use a newer one");
    }
}
