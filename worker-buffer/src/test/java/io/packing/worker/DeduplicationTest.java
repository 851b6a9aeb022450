// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.buffer.Appender;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With {@code packing.dedup=file} a worker neither buffers nor pushes bytes again that the mount has. */
@Timeout(120)
final class DeduplicationTest {
    private static final int SIZE = 10_000;

    @TempDir
    private Path temp;

    private MountRig rig(String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("packing.dedup", "file"));
        options.addAll(List.of(more));
        return new MountRig(temp, Clock.systemUTC(), options.toArray(String[]::new));
    }

    private static double counted(MountRig rig, String name) {
        return rig.simple.find(name).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private static long buffered(MountRig rig) throws IOException {
        return rig.mounts.get(0).bdt().statistics().bufferedFiles();
    }

    private static FileStatus.State state(PackingFileSystem mount, String path) throws IOException {
        return mount.bdt().stat(new FilePath(path)).orElseThrow().state();
    }

    @Test
    void equalFilesOfTwoWorkersAreBufferedOnce() throws IOException {
        try (MountRig rig = rig()) {
            byte[] bytes = MountRig.bytes(1, SIZE);
            PackingFileSystem first = rig.mounts.get(0);
            PackingFileSystem second = rig.mounts.get(1);
            MountRig.write(first, "/a", bytes, MountRig.NEW);
            MountRig.write(second, "/b", bytes, MountRig.NEW);
            MountRig.write(second, "/other", MountRig.bytes(2, SIZE), MountRig.NEW);
            assertThat(buffered(rig)).isEqualTo(2);
            assertThat(counted(rig, "packing.dedup.files")).isEqualTo(1);
            assertThat(counted(rig, "packing.dedup.bytes")).isEqualTo(SIZE);
            assertThat(state(first, "/b")).isEqualTo(FileStatus.State.MAPPED);
            for (boolean flushed : new boolean[] {false, true}) {
                for (PackingFileSystem mount : rig.mounts) {
                    assertThat(MountRig.read(mount, "/a")).isEqualTo(bytes);
                    assertThat(MountRig.read(mount, "/b")).isEqualTo(bytes);
                    assertThat(MountRig.read(mount, "/other")).isEqualTo(MountRig.bytes(2, SIZE));
                }
                if (!flushed) {
                    first.flush();
                }
            }
            MountRig.write(second, "/c", bytes, MountRig.NEW);
            assertThat(buffered(rig)).isZero();
            assertThat(MountRig.read(first, "/c")).isEqualTo(bytes);
        }
    }

    @Test
    void ofEqualFilesWrittenAtOnceOneIsBuffered() throws IOException {
        try (MountRig rig = rig()) {
            byte[] bytes = MountRig.bytes(3, SIZE);
            PackingFileSystem mount = rig.mounts.get(0);
            List<CompletableFuture<Void>> writers = IntStream.range(0, 40)
                    .mapToObj(i -> MountRig.async(() -> MountRig.write(mount, "/many/" + i, bytes, MountRig.NEW)))
                    .toList();
            writers.forEach(CompletableFuture::join);
            assertThat(buffered(rig)).isEqualTo(1);
            assertThat(counted(rig, "packing.dedup.files")).isEqualTo(39);
            for (int i = 0; i < 40; i++) {
                assertThat(MountRig.read(rig.mounts.get(1), "/many/" + i)).isEqualTo(bytes);
            }
        }
    }

    @Test
    void filesOfABusyWorkerAreFoundWhenTheyHaveLeftItsBuffer() throws IOException {
        int count = 500;
        try (MountRig rig = rig()) {
            LocalMount first = (LocalMount) rig.mounts.get(0);
            for (int round = 0; round < 2; round++) {
                List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    byte[] bytes = MountRig.bytes(1_000 * round + i, SIZE);
                    puts.add(first.put(
                            new FilePath("/many/" + round + "-" + i),
                            MountRig.NEW,
                            ByteBuffer.wrap(bytes),
                            Appender.Writer.STREAMS));
                }
                puts.forEach(CompletableFuture::join);
            }
            assertThat(counted(rig, "packing.dedup.files")).isZero();
            rig.mounts.get(0).flush();
            PackingFileSystem second = rig.mounts.get(1);
            for (int i = 0; i < count; i++) {
                for (int round = 0; round < 2; round++) {
                    MountRig.write(
                            second, "/same/" + round + "-" + i, MountRig.bytes(1_000 * round + i, SIZE), MountRig.NEW);
                }
            }
            assertThat(counted(rig, "packing.dedup.files")).isEqualTo(2 * count);
            assertThat(buffered(rig)).isZero();
            assertThat(MountRig.read(second, "/same/1-7")).isEqualTo(MountRig.bytes(1_007, SIZE));
        }
    }

    @Test
    void namesAreGivenAsToAnyFile() throws IOException {
        try (MountRig rig = rig()) {
            byte[] bytes = MountRig.bytes(4, SIZE);
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, "/a", bytes, MountRig.NEW);
            MountRig.write(mount, "/b", MountRig.bytes(5, SIZE), MountRig.NEW);
            assertThatThrownBy(() -> MountRig.write(mount, "/b", bytes, MountRig.NEW))
                    .isInstanceOf(FileAlreadyExistsException.class);
            MountRig.write(mount, "/b", bytes, MountRig.OVERWRITE);
            MountRig.write(mount, "/a", bytes, MountRig.OVERWRITE);
            MountRig.write(mount, "/empty", new byte[0], MountRig.NEW);
            assertThat(MountRig.read(mount, "/b")).isEqualTo(bytes);
            assertThat(MountRig.read(mount, "/a")).isEqualTo(bytes);
            assertThat(MountRig.read(mount, "/empty")).isEmpty();
            mount.flush();
            assertThat(MountRig.read(mount, "/b")).isEqualTo(bytes);
            assertThat(MountRig.read(mount, "/a")).isEqualTo(bytes);
        }
    }

    @Test
    void largeFilesHaveBytesOfTheirOwn() throws IOException {
        try (MountRig rig = rig("packing.spill.bytes", "4KB")) {
            byte[] bytes = MountRig.bytes(6, SIZE);
            for (String path : List.of("/a", "/b")) {
                MountRig.write(rig.mounts.get(0), path, bytes, MountRig.NEW);
            }
            assertThat(counted(rig, "packing.dedup.files")).isZero();
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
        }
    }

    @Test
    void whatIsSharedOutlivesRestartsOfWorkersAndOfTheMaster() throws IOException {
        try (MountRig rig = rig()) {
            byte[] bytes = MountRig.bytes(7, SIZE);
            MountRig.write(rig.mounts.get(0), "/a", bytes, MountRig.NEW);
            MountRig.write(rig.mounts.get(1), "/b", bytes, MountRig.NEW);
            rig.restartWorkers();
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
            rig.mounts.get(0).flush();
            rig.mounts.get(0).bdt().checkpoint();
            rig.loseMaster(true, "w0", "w1");
            assertThat(MountRig.read(rig.mounts.get(1), "/a")).isEqualTo(bytes);
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
        }
    }

    @Test
    void aWorkerThatStopsFailsWhoeverWrites() throws IOException {
        try (MountRig rig = rig()) {
            PackingFileSystem mount = rig.mounts.get(0);
            PackingOutput out = mount.create(new FilePath("/late"), MountRig.NEW);
            out.write(MountRig.bytes(8, SIZE));
            rig.workers.get(0).close();
            assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aMountWhoseFilesAreUploadedCannotHaveIt() {
        assertThatThrownBy(() -> MountOptions.from(Map.of(
                        "packing.store",
                        temp.toUri().toString(),
                        "packing.dedup",
                        "file",
                        "packing.durability",
                        "uploaded")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("packing.dedup")
                .hasMessageContaining("synced");
    }
}
