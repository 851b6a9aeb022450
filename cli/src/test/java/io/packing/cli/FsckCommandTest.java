// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Placement;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing fsck} on sound mounts, and its repair. */
@Timeout(120)
class FsckCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private JsonNode json(int exitCode, String... words) throws IOException {
        CommandRun run = mount.run("fsck --json", words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private Path object(String path) throws IOException {
        Placement.Packed packed = (Placement.Packed)
                mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
        BlobName blob = packed.extents().get(0).blob();
        return directory.resolve("store").resolve(BlobName.FOLDER + blob.key());
    }

    @Test
    void aMountWithClonesSnapshotsBufferedAndLargeFilesIsSound() throws IOException {
        mount.write("/d/small", new byte[100]);
        mount.write("/d/large", new byte[9 << 20]);
        mount.write("/d/empty", new byte[0]);
        mount.flush();
        assertThat(mount.run("clone", "/d/large", "/d/copy").exitCode()).isZero();
        assertThat(mount.run("punch", "/d/copy", "--offset", "10", "--length", "5000000")
                        .exitCode())
                .isZero();
        assertThat(mount.run("snapshot create", "/d", "s").exitCode()).isZero();
        assertThat(mount.run("clone", "/d", "/tree").exitCode()).isZero();
        mount.write("/d/small", new byte[200]);
        mount.flush();
        mount.write("/d/buffered", new byte[300]);
        assertThat(mount.run("clone", "/d/buffered", "/d/shared-while-buffered").exitCode())
                .isZero();
        JsonNode result = json(ExitCodes.OK, "--verify");
        assertThat(result.get("damage")).isEmpty();
        assertThat(result.get("files").asLong()).isEqualTo(6);
        assertThat(result.get("verified_blobs").asLong()).isPositive();
        CommandRun text = mount.run("fsck");
        assertThat(text.exitCode()).isZero();
        assertThat(text.out()).contains("6 files").contains("sound");
        assertThat(mount.deleteFailure("/d/copy")).isEmpty();
        assertThat(json(ExitCodes.OK, "--verify=50%").get("damage")).isEmpty();
    }

    @Test
    void aRepairMovesFilesWithoutBytesAndDeletesBlobsThatNobodyNeeds() throws IOException {
        mount.write("/d/gone", new byte[100]);
        mount.flush();
        mount.write("/first", new byte[1]);
        mount.write("/d/there", new byte[100]);
        mount.flush();
        Path there = object("/d/there");
        BlobName name = BlobName.parse(there.getFileName().toString());
        BlobName orphan = new BlobName("w9", name.footerOffset(), 1);
        Path orphanPath = directory.resolve("store").resolve(BlobName.FOLDER + orphan.key());
        Files.createDirectories(orphanPath.getParent());
        Files.copy(there, orphanPath);
        Files.delete(object("/d/gone"));

        CommandRun asked = mount.run("fsck", "--repair");
        assertThat(asked.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(asked.err()).contains("would move /d/gone").contains("--yes");
        assertThat(mount.has("/d/gone")).isTrue();

        JsonNode result = json(ExitCodes.CORRUPT, "--repair", "--yes");
        assertThat(result.get("repaired").get("moved").asLong()).isEqualTo(1);
        assertThat(result.get("repaired").get("deleted").asLong()).isEqualTo(1);
        assertThat(mount.has("/d/gone")).isFalse();
        String lostAndFound = result.get("repaired").get("lost_and_found").asText();
        assertThat(mount.has(lostAndFound + "/d/gone")).isTrue();
        assertThat(orphanPath).doesNotExist();
        assertThat(mount.read("/d/there")).hasSize(100);
        // Fsck reports files that it set aside, but not as damage: a check after a repair is sound.
        JsonNode again = json(ExitCodes.OK);
        assertThat(again.get("damage")).isEmpty();
        assertThat(again.get("lost_and_found").asLong()).isEqualTo(1);
        assertThat(mount.run("fsck").out())
                .contains("1 findings below /lost+found")
                .contains("sound");
        assertThat(mount.deleteFailure("/lost+found")).isEmpty();
        assertThat(json(ExitCodes.OK).get("lost_and_found").asLong()).isZero();
    }

    @Test
    void aBlobWithVersionsThatTheTableNeverGaveOutIsNewerAndIsKept() throws IOException {
        mount.write("/d/there", new byte[100]);
        mount.flush();
        Path blob = blob(new FileVersion(1L << 50, 1L << 51));
        JsonNode result = json(ExitCodes.CORRUPT, "--repair", "--yes");
        assertThat(result.get("damage")).hasSize(1);
        assertThat(result.get("damage").get(0).get("kind").asText()).isEqualTo("newer");
        assertThat(blob).exists();
    }

    @Test
    void aBlobOfVersionsThatAreOverIsNoDamageAndIsDeletedByARepair() throws IOException {
        mount.write("/d/there", new byte[100]);
        mount.flush();
        FileVersion known =
                mount.bdt().stat(new FilePath("/d/there")).orElseThrow().version();
        Path blob = blob(new FileVersion(known.id() + 1, known.generation()));
        CommandRun text = mount.run("fsck");
        assertThat(text.exitCode()).isEqualTo(ExitCodes.OK);
        assertThat(text.out()).contains("1 blobs of ", "that no file needs", "sound");
        JsonNode repaired = json(ExitCodes.OK, "--repair", "--yes");
        assertThat(repaired.get("damage")).isEmpty();
        assertThat(repaired.get("needless_blobs").get(0).asText()).endsWith("/" + blob.getFileName());
        assertThat(repaired.get("repaired").get("deleted").asLong()).isEqualTo(1);
        assertThat(blob).doesNotExist();
        assertThat(json(ExitCodes.OK).get("needless_blobs")).isEmpty();
    }

    /** A blob in the store that the table does not know, with a version. */
    private Path blob(FileVersion version) throws IOException {
        Path scratch = directory.resolve("scratch");
        try (FileChannel channel = FileChannel.open(
                scratch, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            FinishedBlob finished = new BlobWriter(channel, Codec.NONE)
                    .finish(List.of(new PackedFile(
                            version, new FilePath("/d/other"), new FileAttributes(0, 1, "u", "g", 0644), List.of())));
            BlobName name = new BlobName("w9", finished.footerOffset(), 1);
            Path object = directory.resolve("store").resolve(BlobName.FOLDER + name.key());
            Files.createDirectories(object.getParent());
            return Files.copy(scratch, object);
        }
    }

    @Test
    void aShareThatIsNoneIsRefused() {
        assertThat(mount.run("fsck", "--verify=200%").exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(mount.run("fsck", "--yes").exitCode()).isEqualTo(ExitCodes.USAGE);
    }
}
