// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker's index and the master's disk are lost at once: the segments still have the version of each buffered file.
 */
@Timeout(120)
final class LostIndexTest {
    private static final byte[] OLD = MountRig.bytes(1, 5_000);
    private static final byte[] NEW = MountRig.bytes(2, 7_000);

    @TempDir
    private Path temp;

    /** Creates a mount with a file of one worker in the store that another worker has overwritten. */
    private MountRig overwritten(String... options) throws IOException {
        MountRig rig = new MountRig(temp, Clock.systemUTC(), options);
        MountRig.write(rig.mounts.get(1), "/d/f", OLD, MountRig.NEW);
        rig.mounts.get(1).flush();
        MountRig.write(rig.mounts.get(0), "/d/f", NEW, MountRig.OVERWRITE);
        return rig;
    }

    private void loseIndexAndMaster(MountRig rig) throws IOException {
        rig.loseMaster(true, "w1");
        for (Path each : MountRig.files(temp.resolve("w0"))) {
            if (each.getFileName().toString().equals("index")) {
                MountRig.deleteTree(each);
            }
        }
        rig.workers.add(rig.worker("w0", temp.resolve("w0")));
        rig.mounts.add(rig.workers.get(1).open(rig.options()));
    }

    private static List<String> names(MountRig rig) throws IOException {
        return rig.mounts.get(0).bdt().list(new FilePath("/d"), "", 100).orElseThrow().stream()
                .map(status -> status.path().name())
                .toList();
    }

    @Test
    void anOverwriteOfAnotherWorkersFileIsAtItsName() throws IOException {
        try (MountRig rig = overwritten()) {
            loseIndexAndMaster(rig);
            assertThat(MountRig.read(rig.mounts.get(0), "/d/f")).isEqualTo(NEW);
            assertThat(names(rig)).containsExactly("f");
        }
    }

    @Test
    void theSameHoldsForValuesInAStore() throws IOException {
        try (MountRig rig = overwritten("packing.buffer.values", "store")) {
            loseIndexAndMaster(rig);
            assertThat(MountRig.read(rig.mounts.get(0), "/d/f")).isEqualTo(NEW);
            assertThat(names(rig)).containsExactly("f");
        }
    }

    @Test
    void aSnapshotThatWasTakenBeforeHasTheOverwrite() throws IOException {
        try (MountRig rig = overwritten()) {
            VectorResult taken = rig.mounts
                    .get(0)
                    .bdt()
                    .apply(OperationVector.of(new Operation.TakeSnapshot(new FilePath("/d"), "s")));
            assertThat(taken).isInstanceOf(VectorResult.Applied.class);
            MountRig.write(rig.mounts.get(1), "/d/f", OLD, MountRig.OVERWRITE);
            MountRig.write(rig.mounts.get(0), "/d/g", NEW, MountRig.NEW);
            loseIndexAndMaster(rig);
            assertThat(MountRig.read(rig.mounts.get(0), "/d/.snapshot/s/f")).isEqualTo(NEW);
            assertThat(MountRig.read(rig.mounts.get(0), "/d/f")).isEqualTo(OLD);
            assertThat(MountRig.read(rig.mounts.get(0), "/d/g")).isEqualTo(NEW);
        }
    }
}
