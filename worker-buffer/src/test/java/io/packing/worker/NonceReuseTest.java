// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.store.Fault;
import io.packing.store.RequestKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A search for pairs of key and nonce that encrypt twice, which would expose an encrypted mount. */
@Timeout(120)
class NonceReuseTest {
    @TempDir
    private Path temp;

    /**
     * Seals again after failed pushes, in one process and in the next ones with the same files, segments and disk. Then
     * a second process runs on a copy of that disk, as from a snapshot of a machine.
     */
    @Test
    void aWorkerThatStartsAgainNeverUsesAKeyAndANonceTwice() throws IOException {
        try (WatchedGcm watched = WatchedGcm.install();
                EncryptedRig rig = new EncryptedRig(temp, "packing.backup.min.changes", "1")) {
            for (int life = 0; life < 4; life++) {
                // The process seals some refused pushes again, and the next process the others.
                rig.rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, 2);
                for (int i = 0; i < 20; i++) {
                    rig.write("/d/f%d-%d".formatted(life, i), text("%d %d".formatted(life, i)));
                }
                if (life % 2 == 0) {
                    rig.mount().flush();
                }
                copy(temp.resolve("w0"), temp.resolve("copy" + life));
                rig.rig.restartWorkers();
            }
            rig.mount().flush();
            rig.mount().bdt().checkpoint();
            rig.rig.loseMaster(false, "w0");
            for (int life = 0; life < 4; life++) {
                for (int i = 0; i < 20; i++) {
                    String path = "/d/f%d-%d".formatted(life, i);
                    assertThat(MountRig.read(rig.mount(), path)).isEqualTo(text("%d %d".formatted(life, i)));
                }
            }
            MountRig.deleteTree(temp.resolve("w0"));
            copy(temp.resolve("copy2"), temp.resolve("w0"));
            rig.rig.restartWorkers();
            rig.write("/d/last", text("last"));
            rig.mount().flush();

            assertThat(objects(watched))
                    .as("attempts to make an object")
                    .isGreaterThan(rig.blobs().size() + 4);
            assertThat(watched.pairs()).hasSizeGreaterThan(4 * 20);
            assertThat(watched.pairs().entrySet().stream().filter(each -> each.getValue() > 1))
                    .as("pairs of key and nonce that encrypted more than once")
                    .isEmpty();
        }
    }

    /** Returns the number of begun objects: each has one check with a nonce of zero. */
    private static long objects(WatchedGcm watched) {
        ByteBuffer zero = ByteBuffer.wrap(new byte[12]);
        return watched.pairs().keySet().stream()
                .filter(pair -> pair.get(1).equals(zero))
                .count();
    }

    private static byte[] text(String what) {
        return ("the bytes of " + what).repeat(40).getBytes(StandardCharsets.US_ASCII);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path each : walk.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target);
                }
            }
        }
    }
}
