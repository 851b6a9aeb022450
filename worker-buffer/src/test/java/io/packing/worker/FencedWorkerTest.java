// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static io.packing.worker.MountRig.NEW;
import static io.packing.worker.MountRig.OVERWRITE;
import static io.packing.worker.MountRig.async;
import static io.packing.worker.MountRig.bytes;
import static io.packing.worker.MountRig.read;
import static io.packing.worker.MountRig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FencedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.WorkerInUseException;
import io.packing.blob.FilePath;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.RequestKind;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes with one worker id: one works, and the other reports that it is fenced. */
@Timeout(180)
final class FencedWorkerTest {
    @TempDir
    private Path temp;

    @Test
    void secondWorkerWithALiveIdIsRefusedAndTheFirstGoesOn() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                PackingWorker second = rig.worker("w0", temp.resolve("elsewhere"))) {
            assertThatThrownBy(() -> second.open(rig.options()))
                    .isInstanceOf(WorkerInUseException.class)
                    .hasMessageContaining("'w0'")
                    .hasMessageContaining("live process at 127.0.0.1:");
            write(rig.mounts.get(0), "/f", bytes(1, 100), NEW);
            rig.mounts.get(0).flush();
            assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(bytes(1, 100));
        }
    }

    @Test
    void aCopyOfALiveWorkersDirectoryIsRefusedAndTheLiveOneGoesOn() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            write(rig.mounts.get(0), "/before", bytes(1, 100), NEW);
            Path copy = temp.resolve("copy");
            List<Path> files = new ArrayList<>(MountRig.files(temp.resolve("w0")));
            Collections.reverse(files);
            for (Path file : files) {
                Files.copy(
                        file, copy.resolve(temp.resolve("w0").relativize(file).toString()));
            }
            try (PackingWorker second = rig.worker("w0", copy)) {
                assertThatThrownBy(() -> second.open(rig.options())).isInstanceOf(WorkerInUseException.class);
            }
            write(rig.mounts.get(0), "/after", bytes(2, 100), NEW);
            assertThat(read(rig.mounts.get(1), "/before")).isEqualTo(bytes(1, 100));
            assertThat(read(rig.mounts.get(1), "/after")).isEqualTo(bytes(2, 100));
        }
    }

    @Test
    void aLargeFileThatAFencedWorkerRefusesLeavesNoBytesInItsBuffer() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.spill.bytes", "100KB")) {
            LocalMount mount = (LocalMount) rig.mounts.get(0);
            PackingOutput out = mount.create(new FilePath("/large"), NEW);
            out.write(bytes(1, 300_000));
            assertThat(mount.state().bufferedBytes()).isPositive();
            assertThat(rig.takeOver("w0").sessionEpoch()).isPositive();
            while (!mount.isFenced()) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThatIOException().isThrownBy(out::close).isInstanceOf(FencedException.class);
            assertThat(mount.state().bufferedBytes()).isZero();
        }
    }

    @Test
    void fencedWorkerFailsItsWritersAtOnceAndGoesOnWhenTheOtherIsGone() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.durability", "uploaded")) {
            PackingFileSystem mount = rig.mounts.get(0);
            CompletableFuture<Void> waiting;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, 1);
                waiting = async(() -> write(mount, "/waiting", bytes(1, 100), NEW));
                put.awaitArrival();
                assertThat(rig.takeOver("w0").sessionEpoch()).isPositive();
                assertThatThrownBy(waiting::join).hasCauseInstanceOf(FencedException.class);
                assertThatIOException()
                        .isThrownBy(() -> write(mount, "/refused", bytes(2, 100), NEW))
                        .isInstanceOf(FencedException.class)
                        .withMessageContaining("another process");
            }
            // The other process does not beat any more.
            while (isFenced(mount)) {
                pause();
            }
            mount.flush();
            assertThat(read(rig.mounts.get(1), "/waiting")).isEqualTo(bytes(1, 100));
            write(mount, "/waiting", bytes(3, 100), OVERWRITE);
            assertThat(read(rig.mounts.get(1), "/waiting")).isEqualTo(bytes(3, 100));
        }
    }

    @Test
    void fencedWorkersFilesAreReadableAgainWhenItIsBack() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            write(mount, "/f", bytes(1, 100), NEW);
            rig.takeOver("w0").reclaimed();
            assertThat(mount.bdt().stat(new FilePath("/f")).orElseThrow().state())
                    .isEqualTo(FileStatus.State.LOST);
            while (mount.bdt().stat(new FilePath("/f")).orElseThrow().state() == FileStatus.State.LOST) {
                pause();
            }
            assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(bytes(1, 100));
        }
    }

    @Test
    void bufferOfAnotherWorkerIsNotTaken() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            rig.workers.remove(0).close();
            assertThatIOException()
                    .isThrownBy(() -> rig.worker("renamed", temp.resolve("w0")))
                    .withMessageContaining("buffer of worker 'w0', not of 'renamed'");
        }
    }

    private static boolean isFenced(PackingFileSystem mount) throws IOException {
        try {
            mount.create(new FilePath("/probe"), NEW).abort();
            return false;
        } catch (FencedException e) {
            return true;
        }
    }

    /** Pauses: a lease runs out in half a minute, and a loop without a pause would keep a core from another test. */
    private static void pause() {
        LockSupport.parkNanos(5_000_000);
    }
}
