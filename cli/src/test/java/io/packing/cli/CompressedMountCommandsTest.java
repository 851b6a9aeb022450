package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Placement;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read blobs by themselves, on a mount with {@code packing.compression=zstd}. */
@Timeout(120)
class CompressedMountCommandsTest {
    private static final int FILES = 200;

    @TempDir
    private Path directory = Path.of("");

    private final Random random = Seed.random();
    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(
                Files.createDirectory(directory.resolve("one")), Map.of("packing.compression", "zstd"));
        for (int i = 0; i < FILES; i++) {
            write("/d/f%03d".formatted(i), text());
        }
        // Twice, for packing dedup.
        write("/d/again", content("/d/f007"));
        mount.flush();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private void write(String path, byte[] bytes) throws IOException {
        mount.write(path, bytes);
        contents.put(path, bytes);
    }

    private byte[] content(String path) {
        byte[] known = contents.get(path);
        if (known == null) {
            throw new AssertionError(path + " was not written");
        }
        return known;
    }

    private byte[] text() {
        StringBuilder text = new StringBuilder();
        while (text.length() < 2_000) {
            text.append("{\"user\":\"%x\",\"event\":\"packed\",\"worker\":\"worker-%d\"}\n"
                    .formatted(random.nextInt(), random.nextInt(9)));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private Placement.Packed packed(String path) throws IOException {
        return (Placement.Packed)
                mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
    }

    private Path blob() throws IOException {
        BlobName name = packed("/d/f000").extents().get(0).blob();
        return directory.resolve("one/store").resolve(BlobName.FOLDER + name.key());
    }

    private void assertOk(CommandRun run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @Test
    void fsckDedupClonesAndDumpsKnowDictionaries() throws IOException {
        assertThat(packed("/d/f000").extents().get(0).extent().codec()).isEqualTo(Codec.ZSTD_DICTIONARY);
        assertOk(mount.run("clone", "/d/f001", "/d/copy"));
        assertOk(mount.run("punch", "/d/copy", "--offset", "10", "--length", "500"));
        byte[] punched = content("/d/f001").clone();
        Arrays.fill(punched, 10, 510, (byte) 0);
        contents.put("/d/copy", punched);
        assertOk(mount.run("dedup", "/d"));
        assertThat(mount.bdt().locate(new FilePath("/d/again")).orElseThrow().placement())
                .isInstanceOf(Placement.Mapped.class);
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            assertThat(mount.read(each.getKey())).as(each.getKey()).isEqualTo(each.getValue());
        }
        assertOk(mount.run("fsck", "--verify"));

        Path dump = directory.resolve("dump");
        assertOk(mount.run("dump", dump.toString()));
        try (CommandMount other = CommandMount.start(Files.createDirectory(directory.resolve("two")))) {
            assertOk(other.run("load", dump.toString(), "--into", "/loaded", "--bytes"));
            for (Map.Entry<String, byte[]> each : contents.entrySet()) {
                String path = "/loaded" + each.getKey();
                assertThat(other.read(path)).as(path).isEqualTo(each.getValue());
            }
        }
    }

    @Test
    void fsckTellsOfADamagedDictionaryAndOfEachFileThatNeedsIt() throws IOException {
        Path blob = blob();
        byte[] bytes = Files.readAllBytes(blob);
        bytes[40] ^= 1;
        Files.write(blob, bytes);
        CommandRun run = mount.run("fsck --json", "--verify");
        assertThat(run.exitCode()).isNotZero();
        JsonNode damage = new ObjectMapper().readTree(run.out()).get("damage");
        assertThat(damage.size()).isEqualTo(contents.size());
        assertThat(damage.get(0).get("kind").asText()).isEqualTo("checksum");
    }

    @Test
    void commandsOnASingleBlobReadItsFiles() throws IOException {
        String blob = blob().toString();
        assertOk(CommandRun.of("blob", "verify", blob));
        CommandRun ls = CommandRun.of("blob", "ls", blob);
        assertOk(ls);
        assertThat(ls.out()).hasLineCount(contents.size());
        Path to = directory.resolve("extracted");
        assertOk(CommandRun.of("blob", "extract", blob, "--to", to.toString()));
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            assertThat(Files.readAllBytes(to.resolve(each.getKey().substring(1))))
                    .isEqualTo(each.getValue());
        }
    }
}
