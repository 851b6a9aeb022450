// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk that damages bytes: the file that has them stays in the buffer, and keeps no other one there. */
@Timeout(120)
class DamagedBufferTest {
    private static final String WORD = "the bytes that are damaged";

    @TempDir
    private Path temp;

    private static int damage(Path segment) throws IOException {
        String bytes = Files.readString(segment, StandardCharsets.ISO_8859_1);
        int at = bytes.indexOf(WORD);
        if (at >= 0) {
            try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                return channel.write(ByteBuffer.wrap(new byte[] {'T'}), at);
            }
        }
        return 0;
    }

    private static void awaitPacked(PackingFileSystem mount, String path) throws Exception {
        Await.until(
                path + " is in a blob",
                () -> mount.bdt().stat(new FilePath(path)).orElseThrow().state() == FileStatus.State.PACKED);
    }

    /** A sparse segment has mostly deleted files, so that the packer copies the rest. */
    @ParameterizedTest
    @CsvSource({"fifo,false", "fifo,true", "directory,false"})
    void oneDamagedFileKeepsNoOtherInTheBuffer(String policy, boolean isSparse) throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.policy", policy)) {
            PackingFileSystem mount = rig.mounts.get(0);
            if (isSparse) {
                MountRig.write(mount, "/d/deleted", new byte[1 << 20], MountRig.NEW);
                assertThat(mount.bdt().delete(new FilePath("/d/deleted"), false))
                        .isEqualTo(Outcome.DONE);
            }
            List<String> sound = List.of("/d/a", "/d/c", "/e/a");
            for (String path : sound) {
                MountRig.write(mount, path, path.getBytes(StandardCharsets.UTF_8), MountRig.NEW);
            }
            MountRig.write(mount, "/d/b", WORD.getBytes(StandardCharsets.UTF_8), MountRig.NEW);
            int damaged = 0;
            try (Stream<Path> all = Files.walk(temp.resolve("w0"))) {
                for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                    damaged += file.toString().contains("/segments/") ? damage(file) : 0;
                }
            }
            assertThat(damaged).isEqualTo(1);
            mount.bdt().sealNow();
            for (String path : sound) {
                awaitPacked(mount, path);
                assertThat(MountRig.read(mount, path)).isEqualTo(path.getBytes(StandardCharsets.UTF_8));
            }
            assertThat(mount.bdt().stat(new FilePath("/d/b")).orElseThrow().state())
                    .isEqualTo(FileStatus.State.BUFFERED);
            // The damaged file does not hold up later ones.
            MountRig.write(mount, "/d/later", "later".getBytes(StandardCharsets.UTF_8), MountRig.NEW);
            mount.bdt().sealNow();
            awaitPacked(mount, "/d/later");
        }
    }
}
