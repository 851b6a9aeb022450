// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.Bytes;
import io.packing.bdt.AppendTarget;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.ChangedFileException;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.ScratchFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scratch file whose close appends it to another file, by the claim that its worker makes anyway. */
@Timeout(120)
final class AppendedFilesTest {
    private static final FilePath LOG = new FilePath("/log");
    private static final byte[] FIRST = MountRig.bytes(1, 1_000);
    private static final byte[] SECOND = MountRig.bytes(2, 300);

    @TempDir
    private Path temp;

    private MountRig rig(String... options) throws IOException {
        return new MountRig(temp, Clock.systemUTC(), options);
    }

    private static FileVersion version(PackingFileSystem mount) throws IOException {
        return mount.bdt().stat(LOG).orElseThrow().version();
    }

    private static ScratchFile append(PackingFileSystem mount, FileVersion version, byte[] bytes) throws IOException {
        ScratchFile scratch = ScratchFile.appending(mount, "", new AppendTarget(LOG, version, FIRST.length));
        scratch.write(bytes);
        scratch.close();
        return scratch;
    }

    private static int scratchFiles(PackingFileSystem mount) throws IOException {
        return mount.bdt()
                .list(FilePath.SCRATCH, "", 100)
                .map(entries -> entries.size())
                .orElse(0);
    }

    @Test
    void whatWasAppendedIsReadAndOutlivesRestartsAndTheLossOfTheMastersDisk() throws IOException {
        byte[] all = Bytes.concat(FIRST, SECOND);
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, LOG.value(), FIRST, MountRig.NEW);
            FileVersion appended =
                    append(mount, version(mount), SECOND).appended().orElseThrow();
            assertThat(version(mount)).isEqualTo(appended);
            assertThat(MountRig.read(rig.mounts.get(1), LOG.value())).isEqualTo(all);
            assertThat(scratchFiles(mount)).isZero();
            rig.restartWorkers();
            assertThat(MountRig.read(rig.mounts.get(1), LOG.value())).isEqualTo(all);
            rig.mounts.get(0).bdt().checkpoint();
            rig.loseMaster(false, "w0", "w1");
            assertThat(MountRig.read(rig.mounts.get(1), LOG.value())).isEqualTo(all);
            rig.mounts.get(0).flush();
            assertThat(MountRig.read(rig.mounts.get(1), LOG.value())).isEqualTo(all);
        }
    }

    @Test
    void aRefusedAppendLeavesNothingBehind() throws IOException {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, LOG.value(), FIRST, MountRig.NEW);
            FileVersion old = version(mount);
            MountRig.write(rig.mounts.get(1), LOG.value(), SECOND, MountRig.OVERWRITE);
            assertThatThrownBy(() -> append(mount, old, SECOND)).isInstanceOf(ChangedFileException.class);
            assertThat(MountRig.read(mount, LOG.value())).isEqualTo(SECOND);
            assertThat(scratchFiles(mount)).isZero();
            mount.flush();
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            assertThat(mount.bdt().statistics().packedBytes()).isEqualTo(SECOND.length);
        }
    }

    @Test
    void aFileThatWaitsForTheStoreIsAppendedByAVector() throws IOException {
        try (MountRig rig = rig("packing.durability", "uploaded")) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, LOG.value(), FIRST, MountRig.NEW);
            ScratchFile scratch = append(mount, version(mount), SECOND);
            assertThat(scratch.appended()).isEmpty();
            assertThat(scratchFiles(mount)).isEqualTo(1);
            assertThat(MountRig.read(mount, LOG.value())).isEqualTo(FIRST);
        }
    }
}
