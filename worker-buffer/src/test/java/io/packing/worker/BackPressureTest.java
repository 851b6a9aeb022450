// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.store.Fault;
import io.packing.store.RequestKind;
import io.packing.worker.api.BufferFullException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that cannot reach the store makes creators wait, and loses no file. */
@Timeout(120)
@Tag("process")
final class BackPressureTest {
    private static final int WRITERS = 4;
    /** The files of each writer: more than the buffer takes, so that none can be done before all have to wait. */
    private static final int FILES = 90;

    private static final int FILE_BYTES = 100_000;
    private static final int BUFFER_BYTES = 8 << 20;
    private static final int ALWAYS = 1_000_000;

    @TempDir
    private Path temp;

    private static void fill(MountRig rig, int writer, int bytes) throws IOException {
        for (int file = 0; file < FILES; file++) {
            int number = writer * FILES + file;
            MountRig.write(rig.mounts.get(0), "/in/" + number, MountRig.bytes(number, bytes), MountRig.NEW);
        }
    }

    /** Starts creators of more files than fit. */
    private static List<CompletableFuture<Void>> fill(MountRig rig, int bytes) {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers.add(MountRig.async(() -> fill(rig, writer, bytes)));
        }
        return writers;
    }

    private static double gauge(MountRig rig, String name) {
        return rig.simple.get(name).gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    private static void awaitWaiting(MountRig rig, List<CompletableFuture<Void>> writers) {
        while (gauge(rig, "packing.buffer.waiting") < WRITERS) {
            assertThat(writers).as("creators that did not wait").noneMatch(CompletableFuture::isDone);
            Thread.onSpinWait();
        }
    }

    private static void check(MountRig rig, int bytes) throws IOException {
        for (int number = 0; number < WRITERS * FILES; number++) {
            assertThat(MountRig.read(rig.mounts.get(number % 2), "/in/" + number))
                    .as("file %d", number)
                    .isEqualTo(MountRig.bytes(number, bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"segment", "store"})
    void anUnreachableStoreDuringIngestHoldsCreatorsUpAndLosesNothing(String values) throws Exception {
        try (MountRig rig = new MountRig(
                temp,
                Clock.systemUTC(),
                "packing.buffer.max.bytes",
                "8MB",
                "packing.blob.max.bytes",
                "1MB",
                "packing.buffer.values",
                values)) {
            rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, ALWAYS);
            List<CompletableFuture<Void>> writers = fill(rig, FILE_BYTES);
            awaitWaiting(rig, writers);
            assertThat(gauge(rig, "packing.buffer.bytes")).isBetween(BUFFER_BYTES / 2.0, (double) BUFFER_BYTES);
            assertThat(MountRig.read(rig.mounts.get(1), "/in/0"))
                    .as("what is buffered can be read meanwhile")
                    .isEqualTo(MountRig.bytes(0, FILE_BYTES));
            rig.stores.get(0).failNoMore();
            writers.forEach(CompletableFuture::join);
            rig.mounts.get(0).flush();
            check(rig, FILE_BYTES);
            assertThat(gauge(rig, "packing.buffer.bytes")).isZero();
            assertThat(gauge(rig, "packing.buffer.files")).isZero();
        }
    }

    /** Mounts a small file system, or skips the test. */
    private Path smallDisk(String size) throws IOException, InterruptedException {
        Path disk = Files.createDirectories(temp.resolve("disk"));
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "a full disk is tested where mounting a tmpfs is permitted: run as root");
        return disk;
    }

    private static void unmount(Path disk) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("umount", "-l", disk.toString()).start().waitFor())
                .isZero();
    }

    private static void holdsCreatorsUpUntilTheStoreIsBack(MountRig rig, int bytes) throws IOException {
        rig.stores.get(0).failNext(RequestKind.PUT, Fault.BEFORE, ALWAYS);
        List<CompletableFuture<Void>> writers = fill(rig, bytes);
        awaitWaiting(rig, writers);
        rig.stores.get(0).failNoMore();
        writers.forEach(CompletableFuture::join);
        rig.mounts.get(0).flush();
        check(rig, bytes);
    }

    @Test
    void aReallyFullDiskHoldsCreatorsUpUntilPushesMakeRoom() throws Exception {
        Path disk = smallDisk("160m");
        try (MountRig rig = new MountRig(
                temp, Clock.systemUTC(), "packing.buffer.dir", disk.toString(), "packing.blob.max.bytes", "1MB")) {
            holdsCreatorsUpUntilTheStoreIsBack(rig, FILE_BYTES);
        } finally {
            unmount(disk);
        }
    }

    @Test
    void onAFullDiskWithLessRoomThanABlobSmallerOnesAreCopied() throws Exception {
        Path disk = smallDisk("220m");
        try (EncryptedRig encrypted = new EncryptedRig(temp, "packing.buffer.dir", disk.toString())) {
            holdsCreatorsUpUntilTheStoreIsBack(encrypted.rig, 3 * FILE_BYTES);
        } finally {
            unmount(disk);
        }
    }

    @Test
    void aDiskThatOthersFilledIsRefusedWithAClearErrorAndUsedAgainWhenThereIsRoom() throws Exception {
        Path disk = smallDisk("188m");
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.buffer.dir", disk.toString())) {
            Path others = Files.write(disk.resolve("others"), new byte[85 << 20]);
            assertThatThrownBy(() -> MountRig.write(rig.mounts.get(0), "/a", new byte[5_000_000], MountRig.NEW))
                    .isInstanceOf(BufferFullException.class)
                    .hasMessageContaining("free some space");
            Files.delete(others);
            MountRig.write(rig.mounts.get(0), "/a", MountRig.bytes(1, 5_000_000), MountRig.NEW);
            rig.mounts.get(0).flush();
            assertThat(MountRig.read(rig.mounts.get(1), "/a")).isEqualTo(MountRig.bytes(1, 5_000_000));
        } finally {
            unmount(disk);
        }
    }

    @Test
    void aDiskThatOthersFilledUnderBufferedFilesIsRefusedAndTheFilesArePushedLater() throws Exception {
        Path disk = smallDisk("220m");
        try (EncryptedRig encrypted = new EncryptedRig(temp, "packing.buffer.dir", disk.toString())) {
            MountRig rig = encrypted.rig;
            MountRig.write(rig.mounts.get(0), "/buffered", MountRig.bytes(1, 2_000_000), MountRig.NEW);
            Path others = disk.resolve("others");
            fillUp(others);
            // The disk has no room for a blob of the buffered files either.
            assertThat(refusal(rig))
                    .hasMessageContaining("cannot be packed either")
                    .hasMessageContaining("free some space");
            Files.delete(others);
            rig.mounts.get(0).flush();
            assertThat(MountRig.read(rig.mounts.get(1), "/buffered")).isEqualTo(MountRig.bytes(1, 2_000_000));
        } finally {
            unmount(disk);
        }
    }

    /**
     * Writes files until one is refused. Earlier ones may meet the full disk unrefused, since the buffer asks for the
     * disk's space only now and then.
     */
    private static BufferFullException refusal(MountRig rig) {
        for (int i = 0; true; i++) {
            try {
                MountRig.write(rig.mounts.get(0), "/late" + i, new byte[500_000], MountRig.NEW);
            } catch (BufferFullException e) {
                return e;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("No space left");
            }
        }
    }

    private static void fillUp(Path file) throws IOException {
        byte[] block = new byte[64 << 10];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }
}
