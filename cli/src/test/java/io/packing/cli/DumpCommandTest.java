// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code packing dump} and {@code packing load}: a load restores the dumped state, and a damaged dump makes nothing. */
@Timeout(120)
class DumpCommandTest {
    private static final List<String> FILES =
            List.of("/d/small", "/d/large", "/d/empty", "/d/copy", "/d/e/ä €", "/d/e/punched");

    private static final ExtendedValue VALUE = new ExtendedValue(new byte[] {0, -1, 7});

    @TempDir
    private Path directory = Path.of("");

    private final Random random = Seed.random();
    private CommandMount mount;
    private Path dump;

    @BeforeEach
    void start() throws IOException {
        dump = directory.resolve("dump");
        mount = CommandMount.start(Files.createDirectory(directory.resolve("one")));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private void writeTree() throws IOException {
        mount.write("/d/small", bytes(100));
        mount.write("/d/large", bytes(9 << 20));
        mount.write("/d/empty", new byte[0]);
        mount.write("/d/e/ä €", bytes(1_000));
        mount.flush();
        assertThat(mount.run("clone", "/d/large", "/d/copy").exitCode()).isZero();
        assertThat(mount.run("clone", "/d/large", "/d/e/punched").exitCode()).isZero();
        assertThat(mount.run("punch", "/d/e/punched", "--offset", "1000", "--length", "5000000")
                        .exitCode())
                .isZero();
        AttributeChange change = new AttributeChange(
                Optional.of("ann"), Optional.of("staff"), OptionalInt.of(0700), OptionalLong.of(1_234_567L));
        mount.bdt().setAttributes(new FilePath("/d/e"), change);
        Instant changed = Instant.ofEpochSecond(9, 123_456_789);
        RareAttributeChange extra =
                new RareAttributeChange(List.of(ExtendedChange.put("user.ü", VALUE)), 77, Optional.of(changed));
        mount.bdt().setAttributes(new FilePath("/d/small"), change.with(extra));
        mount.bdt()
                .setAttributes(new FilePath("/d/e"), AttributeChange.ofExtended(ExtendedChange.put("user.e", VALUE)));
    }

    private static void assertSameExtras(CommandMount of, String path, CommandMount as, String wanted)
            throws IOException {
        assertThat(of.bdt().stat(new FilePath(path)).orElseThrow().extras())
                .isEqualTo(as.bdt().stat(new FilePath(wanted)).orElseThrow().extras());
        assertThat(of.bdt().extended(new FilePath(path))).isEqualTo(as.bdt().extended(new FilePath(wanted)));
    }

    private static Map<String, byte[]> read(CommandMount from, String prefix) throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (String path : FILES) {
            all.put(path, from.read(prefix + path));
        }
        return all;
    }

    private static void assertSame(Map<String, byte[]> now, Map<String, byte[]> before) {
        before.forEach((path, bytes) ->
                assertThat(Arrays.equals(now.get(path), bytes)).as(path).isTrue());
    }

    private JsonNode json(CommandMount on, int exitCode, String command, String... words) throws IOException {
        CommandRun run = on.run(command + " --json", words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private static FileAttributes attributes(CommandMount of, String path) throws IOException {
        return of.bdt().stat(new FilePath(path)).orElseThrow().attributes();
    }

    @Test
    void aLoadIntoTheSameMountSharesEveryByteAndHasAllAttributes() throws IOException {
        writeTree();
        JsonNode dumped = json(mount, ExitCodes.OK, "dump", dump.toString());
        assertThat(dumped.get("files").asLong()).isEqualTo(FILES.size());
        assertThat(dumped.get("bytes").asLong()).isEqualTo(100 + 3 * (9L << 20) + 1_000);
        assertThat(dumped.has("seconds")).isTrue();
        Map<String, byte[]> before = read(mount, "");
        long physical =
                json(mount, ExitCodes.OK, "du", "/").get("physical_bytes").asLong();
        // A file that was moved since is found by its version.
        assertThat(mount.bdt()
                        .rename(new FilePath("/d/small"), new FilePath("/moved"))
                        .name())
                .isEqualTo("DONE");

        JsonNode loaded = json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/back/again");
        assertThat(loaded.get("files").asLong()).isEqualTo(FILES.size());
        assertThat(loaded.get("failed").asLong()).isZero();
        assertSame(read(mount, "/back/again"), before);
        assertThat(attributes(mount, "/back/again/d/small"))
                .isEqualTo(new FileAttributes(100, 1_234_567L, "ann", "staff", 0700));
        assertThat(attributes(mount, "/back/again/d/e")).isEqualTo(attributes(mount, "/d/e"));
        assertSameExtras(mount, "/back/again/d/e", mount, "/d/e");
        assertSameExtras(mount, "/back/again/d/small", mount, "/moved");
        assertThat(mount.bdt().extended(new FilePath("/moved"))).contains(Map.of("user.ü", VALUE));
        assertThat(json(mount, ExitCodes.OK, "du", "/").get("physical_bytes").asLong())
                .isEqualTo(physical);
        JsonNode again = json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/back/again");
        assertThat(again.get("files").asLong()).isZero();
        assertThat(again.get("there").asLong()).isEqualTo(FILES.size());
        assertThat(json(mount, ExitCodes.OK, "fsck").get("damage")).isEmpty();
    }

    @Test
    void aLoadIntoAnotherMountCopiesTheBytesAndGoesOnWhereItWasBrokenOff() throws IOException {
        writeTree();
        json(mount, ExitCodes.OK, "dump", dump.toString(), "--path", "/d");
        Map<String, byte[]> before = read(mount, "");
        FileStatus small = mount.bdt().stat(new FilePath("/d/small")).orElseThrow();
        try (CommandMount other = CommandMount.start(Files.createDirectory(directory.resolve("two")))) {
            CommandRun refused = other.run("load", dump.toString(), "--into", "/d");
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).contains("--copy-bytes");
            // What is there as the dump has it but for the time is what a load left that was broken off.
            other.write("/d/small", mount.read("/d/small"));
            other.write("/d/empty", new byte[0]);
            other.write("/d/e/punched", bytes(9 << 20));
            JsonNode loaded = json(other, ExitCodes.FAILED, "load", "--copy-bytes", dump.toString(), "--into", "/d");
            assertThat(loaded.get("files").asLong()).isEqualTo(FILES.size() - 3);
            assertThat(loaded.get("there").asLong()).isEqualTo(2);
            assertThat(loaded.get("failed").asLong()).isEqualTo(1);
            JsonNode replaced =
                    json(other, ExitCodes.OK, "load", "--copy-bytes", "--overwrite", dump.toString(), "--into", "/d");
            assertThat(replaced.get("files").asLong()).isEqualTo(1);
            other.flush();
            assertSame(read(other, ""), before);
            assertThat(attributes(other, "/d/small")).isEqualTo(small.attributes());
            assertThat(attributes(other, "/d/e")).isEqualTo(attributes(mount, "/d/e"));
            assertSameExtras(other, "/d/e", mount, "/d/e");
            assertSameExtras(other, "/d/small", mount, "/d/small");
        }
    }

    @Test
    void filesThatAreGoneNeedTheirBytesAndABufferedFileIsToldOf() throws IOException {
        mount.write("/d/gone", bytes(100));
        mount.flush();
        // A seal order of the flush may still be on its way: it takes the first file.
        mount.write("/first", new byte[1]);
        mount.write("/d/buffered", bytes(10));
        CommandRun run = mount.run("dump", dump.toString());
        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("files are not in the store").contains("flush");
        byte[] before = mount.read("/d/gone");
        assertThat(mount.deleteFailure("/d")).isEmpty();
        JsonNode metadata = json(mount, ExitCodes.FAILED, "load", dump.toString());
        assertThat(metadata.get("failed").asLong()).isEqualTo(2);
        // The blob is kept for the grace period.
        JsonNode bytes = json(mount, ExitCodes.FAILED, "load", "--copy-bytes", dump.toString());
        assertThat(bytes.get("files").asLong()).isEqualTo(1);
        assertThat(mount.read("/d/gone")).isEqualTo(before);
    }

    @Test
    void filesThatOnlyACloneShowsComeBack() throws IOException {
        mount.write("/d/a", bytes(100));
        mount.write("/d/e/b", bytes(9 << 20));
        mount.flush();
        assertThat(mount.run("clone", "/d", "/clone").exitCode()).isZero();
        assertThat(mount.deleteFailure("/d")).isEmpty();
        byte[] a = mount.read("/clone/a");
        byte[] b = mount.read("/clone/e/b");
        assertThat(mount.run("dump", dump.toString()).exitCode()).isZero();
        JsonNode loaded = json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/back");
        assertThat(loaded.get("files").asLong()).isEqualTo(2);
        assertThat(loaded.get("failed").asLong()).isZero();
        assertThat(mount.read("/back/clone/a")).isEqualTo(a);
        assertThat(mount.read("/back/clone/e/b")).isEqualTo(b);
    }

    @Test
    void aTornOrDamagedDumpMakesNothing() throws IOException {
        mount.write("/d/a", bytes(100));
        mount.write("/d/b", bytes(100));
        mount.flush();
        assertThat(mount.run("dump", dump.toString()).exitCode()).isZero();
        byte[] whole = Files.readAllBytes(dump);
        for (int round = 0; round < 50; round++) {
            byte[] damaged = round % 2 == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            if (round % 2 == 1) {
                damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(7));
            }
            Files.write(dump, damaged);
            CommandRun run = mount.run("load", dump.toString(), "--into", "/back");
            // A flip in the store's name is another mount.
            assertThat(run.exitCode()).as("round %d: %s", round, run).isIn(ExitCodes.CORRUPT, ExitCodes.USAGE);
            assertThat(mount.has("/back")).as("round " + round).isFalse();
        }
    }

    @Test
    void hostileRecordsAreRefused() throws IOException {
        mount.write("/d/a", bytes(100));
        mount.flush();
        assertThat(mount.run("dump", dump.toString()).exitCode()).isZero();
        List<String> lines = Files.readAllLines(dump);
        String file = lines.get(2);
        assertThat(file).startsWith("{\"file\":\"/d/a\"");
        for (String hostile : List.of(
                file.replace("/d/a", "/d/../../etc/passwd"),
                file.replace("/d/a", "d/a"),
                file.replace("\"length\":100", "\"length\":-1"),
                file.replace("\"length\":100", "\"length\":101"),
                file.replace("\"length\":100", "\"length\":1e99"),
                file.replaceAll("\"id\":\\d+", "\"id\":0"),
                file.replace("\"extents\":[[", "\"extents\":[[\"x\"],["),
                file.replace("\"extents\"", "\"nothing\""),
                file.replaceAll("\"mode\":\"\\d+\"", "\"mode\":\"99\""),
                "[]",
                "null",
                "{\"file\":\"/d/a\"}",
                "[".repeat(5_000))) {
            Files.writeString(dump, lines.get(0) + "\n" + lines.get(1) + "\n" + hostile + "\n", StandardCharsets.UTF_8);
            CommandRun run = mount.run("load", dump.toString(), "--into", "/back");
            assertThat(run.exitCode())
                    .as("%s: %s", hostile.substring(0, Math.min(80, hostile.length())), run)
                    .isEqualTo(ExitCodes.CORRUPT);
            assertThat(run.err()).contains("line 3");
            assertThat(mount.has("/back")).isFalse();
        }
        Files.writeString(dump, lines.get(0).replace("\"packing_dump\":1", "\"packing_dump\":2") + "\n");
        assertThat(mount.run("load", dump.toString()).err()).contains("version 2");
    }
}
