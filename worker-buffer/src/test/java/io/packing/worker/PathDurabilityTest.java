// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.client.RemoteRig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are more durable than the mount's others: those of a client that asks for it, and those of an operator's rule. */
@Timeout(120)
final class PathDurabilityTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);

    @TempDir
    private Path temp;

    private RemoteRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new RemoteRig(temp);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private RemotePackingFileSystem remote(MountOptions options) throws IOException {
        return rig.remote(options, Writers.preferHost("127.0.0.1"));
    }

    private MountOptions options(String... more) {
        List<String> all = new ArrayList<>(List.of("packing.spill.bytes", "64KB"));
        all.addAll(List.of(more));
        return rig.options(all.toArray(new String[0]));
    }

    private static void write(PackingFileSystem mount, String path, int length) throws IOException {
        try (PackingOutput out = mount.create(new FilePath(path), NEW)) {
            out.write(new byte[length]);
        }
    }

    private static FileStatus.State state(PackingFileSystem mount, String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).orElseThrow().state();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 300_000})
    void aClientThatAsksForMoreThanTheMountGetsIt(int length) throws IOException {
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(options());
                RemotePackingFileSystem remote = remote(options("packing.durability", "uploaded"))) {
            write(remote, "/uploaded", length);
            assertThat(state(remote, "/uploaded")).isEqualTo(FileStatus.State.PACKED);
            write(local, "/synced", length);
            assertThat(state(remote, "/synced"))
                    .as("another client's file waits for its seal")
                    .isEqualTo(FileStatus.State.BUFFERED);
        }
    }

    @Test
    void filesOfTheRuleAreUploadedAndOthersWait() throws IOException {
        MountOptions ruled = options("packing.uploaded.paths", "**/_log,/w/*/meta");
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(ruled);
                RemotePackingFileSystem remote = remote(options())) {
            write(remote, "/w/t/data", 10);
            assertThat(state(remote, "/w/t/data")).isEqualTo(FileStatus.State.BUFFERED);
            write(remote, "/w/t/_log/1", 10);
            // The log's blob has the file that was written before: a log never names a file that is less safe.
            for (String path : List.of("/w/t/_log/1", "/w/t/data")) {
                assertThat(state(remote, path)).as(path).isEqualTo(FileStatus.State.PACKED);
            }
            write(local, "/w/t/meta/large", 300_000);
            assertThat(state(remote, "/w/t/meta/large")).isEqualTo(FileStatus.State.PACKED);
            for (CompletableFuture<FileVersion> stored :
                    remote.putAll(List.of(new NewFile(new FilePath("/w/_log/batch"), ByteBuffer.allocate(10), NEW)))) {
                FileVersion unused = stored.join();
            }
            assertThat(state(remote, "/w/_log/batch")).isEqualTo(FileStatus.State.PACKED);
            write(remote, "/w/t/other/meta", 10);
            assertThat(state(remote, "/w/t/other/meta")).isEqualTo(FileStatus.State.BUFFERED);
        }
    }

    @Test
    void bytesOverAFileOfTheRuleAreUploadedBeforeTheyAreItsBytes() throws IOException {
        MountOptions ruled = options("packing.uploaded.paths", "/log");
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(ruled);
                RemotePackingFileSystem remote = remote(options())) {
            for (PackingFileSystem mount : List.of(local, remote)) {
                write(mount, "/log/" + mount.hashCode(), 10);
                write(mount, "/data/" + mount.hashCode(), 10);
                writeAt(mount, "/log/" + mount.hashCode());
                assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
                writeAt(mount, "/data/" + mount.hashCode());
                assertThat(mount.bdt().statistics().bufferedFiles()).isEqualTo(1);
                mount.flush();
            }
        }
    }

    private static void writeAt(PackingFileSystem mount, String path) throws IOException {
        try (AtomicOutput out = mount.writeAt(new FilePath(path), 5)) {
            out.write(new byte[] {1, 2, 3});
        }
    }

    /** An overwrite replaces the older file when the store has the new one, so that one of them survives. */
    @Test
    void anOverwriteOfTheRuleWaitsForItsUpload() throws Exception {
        try (MountRig mounts = new MountRig(temp.resolve("rig"), Clock.systemUTC(), "packing.uploaded.paths", "/log")) {
            PackingFileSystem mount = mounts.mounts.get(0);
            write(mount, "/log/1", 10);
            CompletableFuture<Void> closing;
            try (FaultyObjectStore.Gate put = mounts.stores.get(0).holdNext(RequestKind.PUT)) {
                closing = CompletableFuture.runAsync(() -> {
                    try (PackingOutput out =
                            mount.create(new FilePath("/log/1"), new CreateOptions("o", "g", 0644, true, true))) {
                        out.write(new byte[20]);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                put.awaitArrival();
                assertThat(mounts.mounts
                                .get(1)
                                .bdt()
                                .stat(new FilePath("/log/1"))
                                .orElseThrow()
                                .attributes()
                                .length())
                        .isEqualTo(10);
            }
            closing.get();
            assertThat(mounts.mounts
                            .get(1)
                            .bdt()
                            .stat(new FilePath("/log/1"))
                            .orElseThrow()
                            .attributes()
                            .length())
                    .isEqualTo(20);
        }
    }

    /** Files of both kinds that are written together, more than go to the worker one by one. */
    @Test
    void whileTheStoreIsAwayFilesOutsideOfTheRuleAreClosed() throws Exception {
        List<FaultyObjectStore> stores = new ArrayList<>();
        PackingWorker.StoreOpener opener = (store, listener) -> {
            stores.add(new FaultyObjectStore(
                    ObjectStores.open(store, listener), Seed.random(), FaultyObjectStore.Rates.NONE));
            return stores.get(stores.size() - 1);
        };
        List<CompletableFuture<FileVersion>> ruled = new ArrayList<>();
        List<CompletableFuture<FileVersion>> others = new ArrayList<>();
        try (PackingWorker worker = rig.worker("w", opener);
                PackingFileSystem local = worker.open(options("packing.uploaded.paths", "/log"));
                RemotePackingFileSystem remote = remote(options())) {
            try (FaultyObjectStore.Gate put = stores.get(0).holdNext(RequestKind.PUT)) {
                write(remote, "/data/first", 10);
                ruled.add(remote.put(new FilePath("/log/first"), ByteBuffer.allocate(10), NEW));
                put.awaitArrival();
                List<NewFile> together = new ArrayList<>();
                for (int i = 0; i < 400; i++) {
                    FilePath path = new FilePath((i % 2 == 0 ? "/log/" : "/data/") + i);
                    (i % 2 == 0 ? ruled : others).add(remote.put(path, ByteBuffer.allocate(10), NEW));
                    together.add(new NewFile(new FilePath(path + "-together"), ByteBuffer.allocate(10), NEW));
                }
                List<CompletableFuture<FileVersion>> batch = remote.putAll(together);
                for (int i = 0; i < batch.size(); i++) {
                    (i % 2 == 0 ? ruled : others).add(batch.get(i));
                }
                CompletableFuture.allOf(others.toArray(new CompletableFuture<?>[0]))
                        .get();
                assertThat(ruled).noneMatch(CompletableFuture::isDone);
            }
            CompletableFuture.allOf(ruled.toArray(new CompletableFuture<?>[0])).get();
        }
    }

    @Test
    void equalBytesAreNotSharedWhereTheStoreHasToKnowOfThem() throws IOException {
        MountOptions ruled = options("packing.uploaded.paths", "/log", "packing.dedup", "file");
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(ruled);
                RemotePackingFileSystem remote = remote(options())) {
            write(remote, "/a", 1_000);
            remote.flush();
            write(remote, "/log/a", 1_000);
            write(remote, "/b", 1_000);
            assertThat(state(remote, "/log/a")).isEqualTo(FileStatus.State.PACKED);
            assertThat(placement(remote, "/b")).as("shares the bytes of /a").isInstanceOf(Placement.Mapped.class);
            assertThat(placement(remote, "/log/a")).isInstanceOf(Placement.Packed.class);
        }
    }

    private static Placement placement(PackingFileSystem mount, String path) throws IOException {
        return mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
    }

    @Test
    void aClientCannotAskThatAMountWhichSyncsNothingSyncsItsFiles() throws IOException {
        MountOptions buffered = options("packing.durability", "buffered");
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(buffered)) {
            assertThatThrownBy(() ->
                            remote(options("packing.durability", "synced")).close())
                    .hasMessageContaining("packing.durability=buffered")
                    .hasMessageContaining("synced is asked for");
            remote(options("packing.durability", "uploaded")).close();
        }
    }
}
