// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Placement;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that read blobs by themselves, on a mount with {@code packing.compression=zstd}. */
@Timeout(120)
class CompressedMountCommandsTest extends PackedFilesFixture {
    @Override
    Map<String, String> options() {
        return Map.of("packing.compression", "zstd");
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
            assertOk(other.run("load", dump.toString(), "--into", "/loaded", "--copy-bytes"));
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
        assertOk(CommandRun.of("blob", "extract", blob, "--out", to.toString()));
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            assertThat(Files.readAllBytes(to.resolve(each.getKey().substring(1))))
                    .isEqualTo(each.getValue());
        }
    }
}
