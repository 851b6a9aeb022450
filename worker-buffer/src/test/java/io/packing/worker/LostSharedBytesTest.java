// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The worker with shared bytes loses its disk: no later file shares these bytes. */
@Timeout(120)
final class LostSharedBytesTest {
    @TempDir
    private Path temp;

    @Test
    void bytesThatAreLostAreBufferedAgainByTheNextWhoWritesThem() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.dedup", "file")) {
            byte[] bytes = MountRig.bytes(1, 10_000);
            MountRig.write(rig.mounts.get(0), "/first", bytes, MountRig.NEW);
            MountRig.write(rig.mounts.get(1), "/shared", bytes, MountRig.NEW);
            rig.workers.get(0).close();
            MountRig.deleteTree(temp.resolve("w0"));
            try (PackingWorker again = rig.worker("w0", temp.resolve("w0"))) {
                assertThat(again.open(rig.options()).bdt().workers()).isNotEmpty();
                assertThatThrownBy(() -> MountRig.read(rig.mounts.get(1), "/shared"))
                        .isInstanceOf(IOException.class);
                MountRig.write(rig.mounts.get(1), "/third", bytes, MountRig.NEW);
                MountRig.write(rig.mounts.get(1), "/shared", bytes, MountRig.OVERWRITE);
                assertThat(MountRig.read(rig.mounts.get(1), "/third")).isEqualTo(bytes);
                assertThat(MountRig.read(rig.mounts.get(1), "/shared")).isEqualTo(bytes);
                rig.mounts.get(1).flush();
                assertThat(MountRig.read(rig.mounts.get(1), "/shared")).isEqualTo(bytes);
            }
        }
    }
}
