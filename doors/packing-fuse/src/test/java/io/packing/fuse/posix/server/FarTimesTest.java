// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Times of the far past and future, on a mount. */
@Timeout(300)
@Tag("process")
class FarTimesTest {
    @TempDir
    private Path home;

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        return said.strip();
    }

    /** As on ext4 and XFS {@code utimensat(2)} succeeds, and the time becomes the last possible one. */
    @Test
    void aTimeThatCannotBeKeptIsTheLastOneThatCan() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        try (MountRig rig = MountRig.start(home);
                FuseMount mount = rig.mount("m", false)) {
            String file = Files.writeString(mount.directory().resolve("f"), "x").toString();
            long last = Long.MAX_VALUE / 1_000 - 1;
            for (String seconds : List.of("9300000000000000", "40000000000000000", "9000000000000000000")) {
                assertThat(run("touch", "-d", "@" + seconds, file)).isEmpty();
                assertThat(run("stat", "-c", "%Y", file)).isEqualTo(Long.toString(last));
                assertThat(run("touch", "-d", "@-" + seconds, file)).isEmpty();
                assertThat(run("stat", "-c", "%Y", file)).isEqualTo(Long.toString(-last));
            }
        }
    }
}
