// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static io.packing.worker.MountRig.OVERWRITE;
import static io.packing.worker.MountRig.async;
import static io.packing.worker.MountRig.bytes;
import static io.packing.worker.MountRig.read;
import static io.packing.worker.MountRig.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.RequestKind;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With {@code uploaded} an overwrite replaces the older file when the new one is in the store, and not before. */
@Timeout(120)
final class DeferredOverwriteTest {
    private static final byte[] V1 = bytes(1, 5_000);
    private static final int SMALL = 6_000;

    @TempDir
    private Path temp;

    private MountRig rig() throws IOException {
        return new MountRig(temp, Clock.systemUTC(), "packing.durability", "uploaded", "packing.spill.bytes", "100KB");
    }

    @ParameterizedTest
    @CsvSource({"0,false", "6000,false", "300000,false", "6000,true", "300000,true"})
    void overwriteThatWasNeverAcknowledgedLeavesTheOlderFile(int length, boolean withoutBackups) throws Exception {
        try (MountRig rig = rig()) {
            write(rig.mounts.get(0), "/f", V1, OVERWRITE);
            overwriteAndLose(rig, length);
            PackingFileSystem other = rig.mounts.get(0);
            assertThat(read(other, "/f")).isEqualTo(V1);
            assertThat(other.bdt()
                            .stat(new FilePath("/f"))
                            .orElseThrow()
                            .attributes()
                            .length())
                    .isEqualTo(V1.length);
            rig.loseMaster(withoutBackups, "w1");
            other = rig.mounts.get(0);
            assertThat(read(other, "/f")).isEqualTo(V1);
            write(other, "/f", bytes(3, 10), OVERWRITE);
            assertThat(read(other, "/f")).isEqualTo(bytes(3, 10));
        }
    }

    /** Lets the first worker claim a new version, fail to push it, die and lose its buffer. */
    private void overwriteAndLose(MountRig rig, int length) throws Exception {
        CompletableFuture<Void> closing;
        try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
            closing = async(() -> write(rig.mounts.get(0), "/f", bytes(2, length), OVERWRITE));
            put.awaitArrival();
            assertThat(read(rig.mounts.get(1), "/f"))
                    .as("while the store is away")
                    .isEqualTo(V1);
            rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, 1_000_000);
        }
        rig.workers.remove(0).close();
        rig.mounts.remove(0);
        MountRig.deleteTree(temp.resolve("w0"));
        assertThat(closing.handle((done, failed) -> failed != null).get())
                .as("the writer was told that it failed")
                .isTrue();
    }

    @Test
    void overwriteIsVisibleToEverybodyWhenItsCloseReturns() throws Exception {
        try (MountRig rig = rig()) {
            for (int i = 0; i < 20; i++) {
                write(rig.mounts.get(i % 2), "/f", bytes(i, 100 + i), OVERWRITE);
                assertThat(read(rig.mounts.get((i + 1) % 2), "/f")).isEqualTo(bytes(i, 100 + i));
            }
            assertThat(rig.mounts.get(0).bdt().statistics().files()).isEqualTo(1);
            assertThat(rig.mounts.get(0).bdt().statistics().bufferedFiles()).isZero();
        }
    }

    @Test
    void nothingIsWrittenIntoAFileWhoseCloseWasNotAnswered() throws Exception {
        try (MountRig rig = rig()) {
            CompletableFuture<Void> closing;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                closing = async(() -> write(rig.mounts.get(0), "/f", V1, OVERWRITE));
                put.awaitArrival();
                assertThatThrownBy(() -> writeAt(rig.mounts.get(1), 10, bytes(2, 5)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("when its close has returned; nothing was written");
            }
            closing.get();
            writeAt(rig.mounts.get(1), 0, bytes(2, V1.length));
            assertThat(read(rig.mounts.get(0), "/f")).isEqualTo(bytes(2, V1.length));
        }
    }

    private static void writeAt(PackingFileSystem mount, long offset, byte[] bytes) throws IOException {
        try (AtomicOutput out = mount.writeAt(new FilePath("/f"), offset)) {
            out.write(bytes);
        }
    }

    @Test
    void pushThatFailsAndSucceedsLaterReplacesTheOlderFileThen() throws Exception {
        try (MountRig rig = rig()) {
            write(rig.mounts.get(0), "/f", V1, OVERWRITE);
            CompletableFuture<Void> closing;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                rig.stores.get(0).failNext(RequestKind.PUT, Fault.AFTER, 2);
                closing = async(() -> write(rig.mounts.get(0), "/f", bytes(2, SMALL), OVERWRITE));
                put.awaitArrival();
                assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(V1);
            }
            closing.get();
            assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(bytes(2, SMALL));
        }
    }

    @Test
    void workerThatRestartsPushesWhatItHadClaimedInPlaceOfAnOlderFile() throws Exception {
        try (MountRig rig = rig()) {
            write(rig.mounts.get(0), "/f", V1, OVERWRITE);
            CompletableFuture<Void> closing;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                closing = async(() -> write(rig.mounts.get(0), "/f", bytes(2, SMALL), OVERWRITE));
                put.awaitArrival();
                rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, 1_000_000);
            }
            rig.restartWorkers();
            assertThat(closing.handle((done, failed) -> failed != null).get()).isTrue();
            rig.mounts.get(1).flush();
            assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(bytes(2, SMALL));
        }
    }

    @Test
    void ofTwoOverwritersTheLaterClaimWinsWhoeverIsPushedFirst() throws Exception {
        try (MountRig rig = rig()) {
            write(rig.mounts.get(0), "/f", V1, OVERWRITE);
            CompletableFuture<Void> earlier;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                earlier = async(() -> write(rig.mounts.get(0), "/f", bytes(2, SMALL), OVERWRITE));
                put.awaitArrival();
                write(rig.mounts.get(1), "/f", bytes(3, SMALL), OVERWRITE);
                assertThat(read(rig.mounts.get(1), "/f")).isEqualTo(bytes(3, SMALL));
                // The file counts as written and then overwritten; its writer need not wait for the store.
                earlier.get();
            }
            rig.mounts.get(0).flush();
            assertThat(read(rig.mounts.get(0), "/f")).isEqualTo(bytes(3, SMALL));
        }
    }

    @Test
    void overwriteWhoseFileIsDeletedOrRenamedMeanwhileGoesTheSameWay() throws Exception {
        try (MountRig rig = rig()) {
            write(rig.mounts.get(0), "/deleted", V1, OVERWRITE);
            write(rig.mounts.get(0), "/tree/deleted", V1, OVERWRITE);
            write(rig.mounts.get(0), "/renamed", V1, OVERWRITE);
            List<CompletableFuture<Void>> closing;
            try (FaultyObjectStore.Gate put = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                closing = Stream.of("/deleted", "/tree/deleted", "/renamed")
                        .map(path -> async(() -> write(rig.mounts.get(0), path, bytes(2, SMALL), OVERWRITE)))
                        .toList();
                put.awaitArrival();
                while (rig.mounts.get(0).bdt().workers().stream()
                        .noneMatch(worker -> worker.worker().equals("w0") && worker.bufferedFiles() == 3)) {
                    Thread.onSpinWait();
                }
                assertThat(rig.mounts.get(1).bdt().delete(new FilePath("/deleted"), false))
                        .isEqualTo(Outcome.DONE);
                assertThat(rig.mounts.get(1).bdt().delete(new FilePath("/tree"), true))
                        .isEqualTo(Outcome.DONE);
                assertThat(rig.mounts.get(1).bdt().rename(new FilePath("/renamed"), new FilePath("/to")))
                        .isEqualTo(Outcome.DONE);
                assertThat(read(rig.mounts.get(1), "/to")).isEqualTo(V1);
                closing.get(0).get();
                closing.get(1).get();
            }
            closing.get(2).get();
            assertThat(read(rig.mounts.get(1), "/to")).isEqualTo(bytes(2, SMALL));
            assertThat(rig.mounts.get(1).bdt().list(FilePath.ROOT, "", 10).orElseThrow())
                    .hasSize(1);
            rig.loseMaster(false, "w0", "w1");
            assertThat(read(rig.mounts.get(1), "/to")).isEqualTo(bytes(2, SMALL));
            assertThat(rig.mounts.get(1).bdt().stat(new FilePath("/renamed"))).isEmpty();
        }
    }
}
