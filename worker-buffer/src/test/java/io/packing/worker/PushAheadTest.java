// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.packing.blob.BlobVerifier;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.blob.VerifiedBlob;
import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.RequestKind;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushes of blobs that fill meanwhile. Many things cut such a push, and no cut loses a file. */
@Timeout(120)
class PushAheadTest {
    private static final int FILE_BYTES = 8 << 10;
    /** The files of a full blob. */
    private static final int FULL = 128;
    /** The files with which a push begins. */
    private static final int BEGUN = 16;

    @TempDir
    private Path temp;

    private MountRig rig(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("packing.blob.max.bytes", "1MB"));
        options.addAll(List.of(more));
        return new MountRig(temp, Clock.systemUTC(), options.toArray(String[]::new));
    }

    private static String path(int number) {
        return "/d/file-%05d".formatted(number);
    }

    private static byte[] content(int number) {
        return MountRig.bytes(number, FILE_BYTES);
    }

    private static void write(PackingFileSystem mount, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            MountRig.write(mount, path(i), content(i), MountRig.NEW);
        }
    }

    private static void check(PackingFileSystem mount, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            assertThat(MountRig.read(mount, path(i))).as(path(i)).isEqualTo(content(i));
        }
    }

    private List<Path> blobs() throws IOException {
        Path folder = temp.resolve("store/blobs");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static VerifiedBlob verify(Path blob) throws IOException {
        try (FileChannel channel = FileChannel.open(blob, StandardOpenOption.READ)) {
            return BlobVerifier.verify(new FileRangeSource(blob.toString(), channel));
        }
    }

    /** Writes files until a push has begun, which a gate of the store holds. */
    private static int begin(MountRig rig, FaultyObjectStore.Gate gate) throws Exception {
        PackingFileSystem mount = rig.mounts.get(0);
        write(mount, 0, BEGUN);
        gate.awaitArrival();
        return BEGUN;
    }

    private static FaultyObjectStore.Gate hold(MountRig rig) {
        return rig.stores.get(0).holdNext(RequestKind.PUT);
    }

    private static double pushedAhead(MountRig rig) {
        return rig.simple.counter("packing.pushed.ahead").count();
    }

    private static double cuts(MountRig rig, String cause) {
        return rig.simple.counter("packing.push.cuts", "cause", cause).count();
    }

    private static void awaitCut(MountRig rig, String cause) {
        while (cuts(rig, cause) == 0) {
            Thread.onSpinWait();
        }
    }

    private void checkOneBlob(int files) throws IOException {
        assertThat(blobs()).hasSize(1);
        assertThat(verify(blobs().get(0)).files()).isEqualTo(files);
    }

    @Test
    void aBlobIsPushedWhileItFillsWithOnePut() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                int written = begin(rig, gate);
                gate.close();
                write(mount, written, FULL);
            }
            mount.flush();
            assertThat(pushedAhead(rig)).isEqualTo(1);
            checkOneBlob(FULL);
            check(rig.mounts.get(1), 0, FULL);
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
        }
    }

    @Test
    void blobAfterBlobIsPushedSo() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            for (int blob = 0; blob < 3; blob++) {
                try (FaultyObjectStore.Gate gate = hold(rig)) {
                    write(mount, blob * FULL, blob * FULL + BEGUN);
                    gate.awaitArrival();
                    gate.close();
                    write(mount, blob * FULL + BEGUN, (blob + 1) * FULL);
                }
                mount.flush();
            }
            assertThat(pushedAhead(rig)).isEqualTo(3);
            assertThat(blobs()).hasSize(3);
            for (Path blob : blobs()) {
                assertThat(verify(blob).files()).isEqualTo(FULL);
            }
            check(rig.mounts.get(1), 0, 3 * FULL);
        }
    }

    @Test
    void aStallCutsThePushAndTheBlobIsPushedLaterWhole() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                begin(rig, gate);
            }
            awaitCut(rig, "stall");
            assertThat(blobs()).isEmpty();
            write(mount, BEGUN, 2 * BEGUN);
            mount.flush();
            assertThat(pushedAhead(rig)).isZero();
            checkOneBlob(2 * BEGUN);
            check(rig.mounts.get(1), 0, 2 * BEGUN);
        }
    }

    @Test
    void aFlushInTheMiddleCutsThePush() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                begin(rig, gate);
            }
            mount.flush();
            assertThat(cuts(rig, "short")).isEqualTo(1);
            checkOneBlob(BEGUN);
            check(rig.mounts.get(1), 0, BEGUN);
        }
    }

    @Test
    void aSegmentThatEndsALittleEarlyIsPadded() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            int files = FULL - 5;
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                int written = begin(rig, gate);
                gate.close();
                write(mount, written, files);
            }
            mount.flush();
            assertThat(pushedAhead(rig)).isEqualTo(1);
            checkOneBlob(files);
            assertThat(verify(blobs().get(0)).gapBytes()).isGreaterThan(4L * FILE_BYTES);
            check(rig.mounts.get(1), 0, files);
        }
    }

    @Test
    void aStoreThatFailsInTheMiddleGetsTheBlobLaterWhole() throws Exception {
        for (Fault fault : List.of(Fault.BEFORE, Fault.MIDDLE)) {
            try (MountRig rig = rig()) {
                PackingFileSystem mount = rig.mounts.get(0);
                rig.stores.get(0).failNext(RequestKind.PUT, fault, 1);
                try (FaultyObjectStore.Gate gate = hold(rig)) {
                    int written = begin(rig, gate);
                    gate.close();
                    write(mount, written, FULL);
                }
                mount.flush();
                assertThat(cuts(rig, "store")).isEqualTo(1);
                assertThat(pushedAhead(rig)).isZero();
                checkOneBlob(FULL);
                check(rig.mounts.get(1), 0, FULL);
            }
            MountRig.deleteTree(temp);
            Files.createDirectories(temp);
        }
    }

    @Test
    void aBlobWhoseAnswerWasLostIsFoundAndNotPushedAgain() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            rig.stores.get(0).failNext(RequestKind.PUT, Fault.AFTER, 1);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                int written = begin(rig, gate);
                gate.close();
                write(mount, written, FULL);
            }
            mount.flush();
            assertThat(pushedAhead(rig)).isEqualTo(1);
            checkOneBlob(FULL);
            check(rig.mounts.get(1), 0, FULL);
        }
    }

    @Test
    void filesThatAreDeletedAndOverwrittenMeanwhileAreGaps() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                int written = begin(rig, gate);
                gate.close();
                write(mount, written, FULL / 2);
                for (int i = 0; i < 5; i++) {
                    mount.bdt().delete(new FilePath(path(i)), false);
                }
                MountRig.write(mount, path(5), content(1_005), MountRig.OVERWRITE);
                write(mount, FULL / 2, FULL - 1);
            }
            mount.flush();
            assertThat(pushedAhead(rig)).isEqualTo(1);
            assertThat(blobs()).hasSize(1);
            VerifiedBlob verified = verify(blobs().get(0));
            assertThat(verified.files()).isBetween(FULL - 6, FULL);
            check(rig.mounts.get(1), 6, FULL - 1);
            assertThat(MountRig.read(rig.mounts.get(1), path(5))).isEqualTo(content(1_005));
        }
    }

    @Test
    void aDamagedRecordNeverLeavesTheWorker() throws Exception {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                begin(rig, gate);
                damage();
            }
            awaitCut(rig, "damage");
            assertThat(blobs()).isEmpty();
            write(mount, BEGUN, 2 * BEGUN);
            assertThat(catchThrowable(mount::flush)).hasMessageContaining("damaged files");
            assertThat(blobs()).hasSize(1);
            assertThat(verify(blobs().get(0)).files()).isEqualTo(2 * BEGUN - 1);
        }
    }

    /** Changes a byte of a file in the only segment. */
    private void damage() throws IOException {
        Path segment;
        try (Stream<Path> files = Files.walk(temp.resolve("w0"))) {
            segment = files.filter(file -> file.toString().endsWith(".segment"))
                    .findFirst()
                    .orElseThrow();
        }
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, 40_000);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 1)}), 40_000);
        }
    }

    @Test
    void aWorkerThatStopsInTheMiddlePushesItsFilesAfterItsNextStart() throws Exception {
        try (MountRig rig = rig()) {
            try (FaultyObjectStore.Gate gate = hold(rig)) {
                begin(rig, gate);
            }
            rig.restartWorkers();
            check(rig.mounts.get(1), 0, BEGUN);
            rig.mounts.get(0).flush();
            checkOneBlob(BEGUN);
            check(rig.mounts.get(1), 0, BEGUN);
        }
    }

    @Test
    void mountsWhoseBlobsAreNotMadeInOnePassWaitForFullBlobs() throws Exception {
        List<List<String>> others = List.of(
                List.of("packing.push.ahead", "0s"),
                List.of("packing.policy", "directory"),
                List.of("packing.compression", "zstd"),
                List.of("packing.buffer.values", "store"),
                List.of("packing.seal.idle.bytes", "512KB"));
        for (List<String> other : others) {
            try (MountRig rig = rig(other.toArray(String[]::new))) {
                write(rig.mounts.get(0), 0, FULL);
                rig.mounts.get(0).flush();
                assertThat(pushedAhead(rig)).as("%s", other).isZero();
                assertThat(rig.simple.find("packing.push.cuts").counters())
                        .as("%s", other)
                        .isEmpty();
                check(rig.mounts.get(1), 0, FULL);
            }
            MountRig.deleteTree(temp);
            Files.createDirectories(temp);
        }
    }
}
