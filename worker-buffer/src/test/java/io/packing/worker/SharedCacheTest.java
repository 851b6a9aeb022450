// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.store.Fault;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.store.RequestListener;
import io.packing.store.RequestOutcome;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clones of a file cost one fetch and one place in memory, for all readers and all doors. */
@Timeout(120)
final class SharedCacheTest {
    private static final int CLONES = 8;
    /** The size of a file: more than one extent, and no whole number of pages. */
    private static final int SIZE = (9 << 20) + 12_345;

    @TempDir
    private Path temp;

    /** The bytes of blobs' bodies that readers fetched. */
    private final AtomicLong fetched = new AtomicLong();

    private final RequestListener counting = (RequestKind kind, long bytes, RequestOutcome outcome) -> {
        if (kind == RequestKind.GET) {
            fetched.addAndGet(bytes);
        }
    };

    private RemotePackingFileSystem door(MountRig rig, ReadCaches caches) throws IOException {
        ObjectStore store = ObjectStores.open(rig.options().store(), counting);
        return RemotePackingFileSystem.open(
                rig.master, rig.options(), same -> store, Writers.preferHost("127.0.0.1"), caches);
    }

    /** Returns the bytes of the bodies of the blobs with the clones, which have no other file. */
    private static long bodies(MountRig rig) throws IOException {
        Set<BlobName> blobs = new HashSet<>();
        for (int i = 0; i < CLONES; i++) {
            LocatedFile file =
                    rig.mounts.get(0).bdt().locate(new FilePath(clone(i))).orElseThrow();
            blobs.addAll(blobs(file));
        }
        long bytes = blobs.stream().mapToLong(BlobName::footerOffset).sum();
        assertThat(bytes).isBetween((long) SIZE, SIZE + 1_000L);
        return bytes;
    }

    private static Set<BlobName> blobs(LocatedFile file) {
        Set<BlobName> blobs = new HashSet<>();
        if (file.placement() instanceof Placement.Mapped mapped) {
            mapped.pieces().forEach(piece -> blobs.addAll(blobs(piece.content())));
        } else {
            ((Placement.Packed) file.placement()).extents().forEach(extent -> blobs.add(extent.blob()));
        }
        return blobs;
    }

    private static String clone(int number) {
        return "/clones/" + number;
    }

    /** Writes a packed file and its clones; returns the bytes. */
    private static byte[] cloned(MountRig rig) throws IOException {
        byte[] bytes = MountRig.bytes(7, SIZE);
        PackingFileSystem mount = rig.mounts.get(0);
        MountRig.write(mount, clone(0), bytes, MountRig.NEW);
        for (int i = 1; i < CLONES; i++) {
            Operation copy = new Operation.CloneFile(
                    new FilePath(clone(0)), new FilePath(clone(i)), false, AttributeChange.NONE);
            assertThat(mount.bdt().apply(OperationVector.of(copy))).isInstanceOf(VectorResult.Applied.class);
        }
        mount.flush();
        return bytes;
    }

    /** Reads each clone with a reader of its own, through the doors in turn, all from the same moment on. */
    private static void readAtOnce(List<? extends PackingFileSystem> doors, byte[] expected) {
        CyclicBarrier start = new CyclicBarrier(CLONES);
        ExecutorService threads = Executors.newFixedThreadPool(CLONES);
        try {
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < CLONES; i++) {
                PackingFileSystem door = doors.get(i % doors.size());
                String path = clone(i);
                readers.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                int unused = start.await();
                                assertThat(MountRig.read(door, path)).isEqualTo(expected);
                            } catch (Exception e) {
                                throw new IllegalStateException(path, e);
                            }
                        },
                        threads));
            }
            readers.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void clonesReadAtOnceThroughTwoDoorsAreFetchedOnceAndHeldOnce() throws IOException {
        ReadCaches caches = new ReadCaches();
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem first = door(rig, caches);
                RemotePackingFileSystem second = door(rig, caches)) {
            byte[] bytes = cloned(rig);
            readAtOnce(List.of(first, second), bytes);
            assertThat(fetched).hasValue(bodies(rig));
            assertThat(first.cache()).isSameAs(second.cache());
            assertThat(first.cache().memoryBytes()).isEqualTo(bodies(rig));
            // Read all once more, one after another.
            for (int i = 0; i < CLONES; i++) {
                assertThat(MountRig.read(second, clone(i))).isEqualTo(bytes);
            }
            assertThat(fetched).hasValue(bodies(rig));
        }
    }

    @Test
    void clonesReadAtOnceAtAWorkerAreFetchedOnce() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            byte[] bytes = cloned(rig);
            readAtOnce(List.of(rig.mounts.get(1)), bytes);
            assertThat(storeBytes(rig)).isEqualTo(bodies(rig));
        }
    }

    private static long storeBytes(MountRig rig) {
        String mount = rig.options().store().location().text();
        return (long) rig.simple
                .counter("packing.store.bytes", "mount", mount, "kind", "get")
                .count();
    }

    @Test
    void eachProcessFetchesClonesOnceForItself() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                RemotePackingFileSystem first = door(rig, new ReadCaches());
                RemotePackingFileSystem second = door(rig, new ReadCaches())) {
            byte[] bytes = cloned(rig);
            readAtOnce(List.of(first, second), bytes);
            assertThat(fetched).hasValue(2 * bodies(rig));
        }
    }

    @Test
    void theCacheStaysForTheOtherDoorAndGoesWithTheLast() throws IOException {
        ReadCaches caches = new ReadCaches();
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            byte[] bytes = cloned(rig);
            try (RemotePackingFileSystem second = door(rig, caches)) {
                try (RemotePackingFileSystem first = door(rig, caches)) {
                    assertThat(MountRig.read(first, clone(1))).isEqualTo(bytes);
                }
                assertThat(MountRig.read(second, clone(2))).isEqualTo(bytes);
                assertThat(fetched).hasValue(bodies(rig));
            }
            try (RemotePackingFileSystem third = door(rig, caches)) {
                assertThat(MountRig.read(third, clone(3))).isEqualTo(bytes);
                assertThat(fetched).hasValue(2 * bodies(rig));
            }
        }
    }

    @Test
    void aWorkerReadsFromItsDiskAfterARestartAndCountsIt() throws IOException {
        // The second worker of the rig finds the directory taken, and reads without it.
        try (MountRig rig = new MountRig(
                temp,
                Clock.systemUTC(),
                "packing.read.disk.bytes",
                "64MB",
                "packing.read.disk.dir",
                temp.resolve("read-cache").toString())) {
            byte[] bytes = cloned(rig);
            assertThat(MountRig.read(rig.mounts.get(0), clone(1))).isEqualTo(bytes);
            assertThat(diskPages(rig, true)).isZero();
            rig.restartWorkers();
            rig.stores.get(0).failNext(RequestKind.GET, Fault.BEFORE, 1_000);
            assertThat(MountRig.read(rig.mounts.get(0), clone(2))).isEqualTo(bytes);
            assertThat(diskPages(rig, true)).isEqualTo((bodies(rig) + (256 << 10) - 1) / (256 << 10));
            assertThat(MountRig.read(rig.mounts.get(1), clone(3))).isEqualTo(bytes);
        }
    }

    private static long diskPages(MountRig rig, boolean found) {
        String mount = rig.options().store().location().text();
        return (long) rig.simple
                .counter("packing.read.disk.pages", "mount", mount, "found", Boolean.toString(found))
                .count();
    }
}
