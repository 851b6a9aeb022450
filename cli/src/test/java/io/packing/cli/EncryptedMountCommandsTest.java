// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Placement;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that read blobs by themselves, on an encrypted mount. */
@Timeout(120)
class EncryptedMountCommandsTest extends PackedFilesFixture {
    private String keystore = "";

    @Override
    Map<String, String> options() throws IOException {
        keystore = Files.writeString(directory.resolve("keys"), "small@0 " + "7e".repeat(32) + "\n")
                .toUri()
                .toString();
        return Map.of(
                "packing.compression", "zstd",
                "packing.encryption.key", "small",
                "packing.encryption.keystore", keystore);
    }

    @Test
    void fsckDedupClonesSnapshotsAndDumpsHaveTheKey() throws IOException {
        assertThat(packed("/d/f000").extents().get(0).extent().codec()).isEqualTo(Codec.AES_ZSTD_DICTIONARY);
        assertOk(mount.run("snapshot create", "/d", "before"));
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
        assertOk(mount.run("clone", "/d", "/tree"));
        assertThat(mount.read("/tree/f003")).isEqualTo(content("/d/f003"));
        mount.write("/d/f003", text());
        mount.flush();
        assertThat(mount.read("/tree/f003")).isEqualTo(content("/d/f003"));
        assertThat(mount.read("/d/.snapshot/before/f003")).isEqualTo(content("/d/f003"));
        contents.remove("/d/f003");
        assertOk(mount.run("fsck", "--verify"));
        assertOk(mount.run("gc", "--dry-run"));

        Path dump = directory.resolve("dump");
        assertOk(mount.run("dump", dump.toString()));
        try (CommandMount other = CommandMount.start(Files.createDirectory(directory.resolve("two")))) {
            String from = "packing.encryption.keystore=" + keystore;
            assertOk(other.run("load", dump.toString(), "--into", "/loaded", "--copy-bytes", "--source-option", from));
            for (Map.Entry<String, byte[]> each : contents.entrySet()) {
                String path = "/loaded" + each.getKey();
                assertThat(other.read(path)).as(path).isEqualTo(each.getValue());
            }
            CommandRun without = other.run("load", dump.toString(), "--into", "/again", "--copy-bytes");
            assertThat(without.exitCode()).isNotZero();
            assertThat(without.err()).contains("small@0", "packing.encryption.keystore");
        }
    }

    @Test
    void fsckTellsOfADamagedExtentOfAnEncryptedBlob() throws IOException {
        Extent extent = packed("/d/f000").extents().get(0).extent();
        Path blob = blob();
        byte[] bytes = Files.readAllBytes(blob);
        bytes[(int) extent.blobOffset()] ^= 1;
        Files.write(blob, bytes);
        CommandRun run = mount.run("fsck --json", "--verify");
        assertThat(run.exitCode()).isNotZero();
        JsonNode damage = new ObjectMapper().readTree(run.out()).get("damage");
        assertThat(damage.size()).isEqualTo(1);
        assertThat(damage.get(0).get("kind").asText()).isEqualTo("checksum");
        assertThat(damage.get(0).get("path").asText()).isEqualTo("/d/f000");
    }

    /** The footer is encrypted, too. It is sound, but no file can be read without the key. */
    @Test
    void fsckDoesNotCallFilesReadableWhoseKeyIsDamaged() throws IOException {
        Path blob = blob();
        byte[] bytes = Files.readAllBytes(blob);
        bytes[60] ^= 1;
        Files.write(blob, bytes);
        for (String[] more : new String[][] {{}, {"--verify"}}) {
            CommandRun run = mount.run("fsck --json", more);
            JsonNode damage = new ObjectMapper().readTree(run.out()).get("damage");
            assertThat(damage.findValuesAsText("path")).containsExactlyInAnyOrderElementsOf(contents.keySet());
            assertThat(damage.findValuesAsText("kind")).containsOnly("checksum");
        }
    }

    @Test
    void commandsOnASingleBlobReadItsFilesWithTheKeystoreAndSayWhatTheyNeedWithout() throws IOException {
        String blob = blob().toString();
        String option = "packing.encryption.keystore=" + keystore;
        assertOk(CommandRun.of("blob", "verify", blob, "--option", option));
        CommandRun ls = CommandRun.of("blob", "ls", blob, "--option", option);
        assertOk(ls);
        assertThat(ls.out()).hasLineCount(contents.size());
        Path to = directory.resolve("extracted");
        assertOk(CommandRun.of("blob", "extract", blob, "--out", to.toString(), "--option", option));
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            assertThat(Files.readAllBytes(to.resolve(each.getKey().substring(1))))
                    .isEqualTo(each.getValue());
        }
        for (String command : new String[] {"ls", "verify"}) {
            CommandRun without = CommandRun.of("blob", command, blob);
            assertThat(without.exitCode()).isNotZero();
            assertThat(without.err()).contains("key small, version small@0, is needed");
        }
    }
}
