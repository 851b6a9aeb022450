// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master's disk is lost before the store has the journal of a change: the change is undone, and its files have their bytes. */
@Timeout(120)
final class UndoneDeletionTest {
    private static final byte[] OLD = MountRig.bytes(1, 5_000);
    private static final byte[] NEW = MountRig.bytes(2, 7_000);

    /** A little less than half of the smallest buffer. */
    private static final int HALF = 4_000_000;

    @TempDir
    private Path temp;

    private List<Path> masterObjects() throws IOException {
        return MountRig.files(temp.resolve("store")).stream()
                .filter(file -> file.getFileName().toString().matches("(journal|backup)-.*"))
                .toList();
    }

    /** Loses the master's disk, and all that it uploaded since; its workers come back. */
    private void loseMaster(MountRig rig, List<Path> uploaded) throws IOException {
        rig.endMaster();
        for (Path each : masterObjects()) {
            if (!uploaded.contains(each)) {
                Files.delete(each);
            }
        }
        rig.startWithoutDisk("w0", "w1");
    }

    private static void awaitForgotten(MountRig rig) {
        while (rig.simple.get("packing.buffer.files").gauges().stream().anyMatch(gauge -> gauge.value() > 0)) {
            Thread.onSpinWait();
        }
    }

    private static double deletedBytes(MountRig rig) {
        return rig.simple.get("packing.buffer.deleted.bytes").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    /** Returns the objects that the master had uploaded when it knew the overwrite and not the deletion. */
    private List<Path> overwriteAndDelete(MountRig rig) throws IOException {
        PackingFileSystem mount = rig.mounts.get(0);
        MountRig.write(mount, "/d/f", OLD, MountRig.NEW);
        mount.flush();
        MountRig.write(mount, "/d/f", NEW, MountRig.OVERWRITE);
        mount.bdt().checkpoint();
        List<Path> uploaded = masterObjects();
        assertThat(mount.bdt().delete(new FilePath("/d/f"), false)).isEqualTo(Outcome.DONE);
        awaitForgotten(rig);
        return uploaded;
    }

    @Test
    void aDeletedFileIsThereAgainWithItsNewestBytes() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            loseMaster(rig, overwriteAndDelete(rig));
            assertThat(MountRig.read(rig.mounts.get(1), "/d/f")).isEqualTo(NEW);
        }
    }

    @Test
    void theSameHoldsAfterARestartOfItsWorker() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            List<Path> uploaded = overwriteAndDelete(rig);
            rig.restartWorkers();
            awaitForgotten(rig);
            loseMaster(rig, uploaded);
            assertThat(MountRig.read(rig.mounts.get(1), "/d/f")).isEqualTo(NEW);
        }
    }

    @Test
    void aFileThatARenameReplacedIsThereAgain() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, "/d/f", OLD, MountRig.NEW);
            MountRig.write(mount, "/d/g", NEW, MountRig.NEW);
            mount.bdt().checkpoint();
            List<Path> uploaded = masterObjects();
            assertThat(mount.bdt().delete(new FilePath("/d/f"), false)).isEqualTo(Outcome.DONE);
            assertThat(mount.bdt().rename(new FilePath("/d/g"), new FilePath("/d/f")))
                    .isEqualTo(Outcome.DONE);
            while (deletedBytes(rig) < OLD.length) {
                Thread.onSpinWait();
            }
            loseMaster(rig, uploaded);
            assertThat(MountRig.read(rig.mounts.get(1), "/d/f")).isEqualTo(OLD);
            assertThat(MountRig.read(rig.mounts.get(1), "/d/g")).isEqualTo(NEW);
        }
    }

    @Test
    void aFileThatIsThereAgainIsPacked() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            loseMaster(rig, overwriteAndDelete(rig));
            rig.mounts.get(0).flush();
            assertThat(rig.mounts.get(0).bdt().statistics().bufferedFiles()).isZero();
            assertThat(MountRig.read(rig.mounts.get(1), "/d/f")).isEqualTo(NEW);
        }
    }

    @Test
    void theBytesGoWithTheNextJournalAndNoBlobGetsThem() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            List<Path> unused = overwriteAndDelete(rig);
            assertThat(deletedBytes(rig)).isEqualTo(NEW.length);
            rig.mounts.get(0).flush();
            assertThat(rig.mounts.get(0).bdt().statistics().blobs()).isLessThanOrEqualTo(1);
            rig.mounts.get(0).bdt().checkpoint();
            while (deletedBytes(rig) > 0) {
                Thread.onSpinWait();
            }
            assertThat(MountRig.files(temp.resolve("w0")).stream()
                            .filter(file -> file.getFileName().toString().endsWith(".segment")))
                    .isEmpty();
        }
    }

    @Test
    void aFileThatAnotherVersionReplacedIsForgottenAtOnce() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, "/d/f", OLD, MountRig.NEW);
            MountRig.write(mount, "/d/f", NEW, MountRig.OVERWRITE);
            while (rig.simple.get("packing.buffer.files").gauges().stream()
                            .mapToDouble(gauge -> gauge.value())
                            .sum()
                    > 1) {
                Thread.onSpinWait();
            }
            assertThat(deletedBytes(rig)).isZero();
        }
    }

    @Test
    void aFullBufferGivesTheBytesUp() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.buffer.max.bytes", "8MB")) {
            PackingFileSystem mount = rig.mounts.get(0);
            for (String path : List.of("/d/f", "/d/g")) {
                MountRig.write(mount, path, MountRig.bytes(3, HALF), MountRig.NEW);
                assertThat(mount.bdt().delete(new FilePath(path), false)).isEqualTo(Outcome.DONE);
            }
            awaitForgotten(rig);
            assertThat(deletedBytes(rig)).isEqualTo(2 * HALF);
            MountRig.write(mount, "/d/h", MountRig.bytes(4, HALF), MountRig.NEW);
            assertThat(deletedBytes(rig)).isZero();
        }
    }
}
