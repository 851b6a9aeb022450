// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class RemotePackingFileSystemTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    private static final CreateOptions NO_PARENTS = new CreateOptions("o", "g", 0644, false, false);
    private static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0640, true, true);
    private static final Writers ANY = Writers.preferHost("127.0.0.1");

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

    private static FilePath path(int number) {
        return new FilePath("/d%d/f%d".formatted(number % 7, number));
    }

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(PackingFileSystem mount, String path, byte[] bytes, CreateOptions options)
            throws IOException {
        try (PackingOutput out = mount.create(new FilePath(path), options)) {
            out.write(bytes);
        }
    }

    private static byte[] read(PackingFileSystem mount, FilePath path) throws IOException {
        try (PackingInput in = mount.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            return all.array();
        }
    }

    /** The creator of a file may give its time, and the close does not change it. */
    @Test
    void aFileHasTheTimeThatItsCreatorGaveIt() throws Exception {
        MountOptions options = rig.options("packing.spill.bytes", "64KB");
        CreateOptions dated = new CreateOptions("o", "g", 0644, true, false, OptionalLong.of(-1_234));
        try (PackingWorker worker = rig.worker("w");
                PackingFileSystem local = worker.open(options);
                RemotePackingFileSystem remote = rig.remote(options, ANY)) {
            write(remote, "/small", bytes(1, 10), dated);
            write(remote, "/large", bytes(2, 200_000), dated);
            write(local, "/local", bytes(3, 10), dated);
            for (String path : List.of("/small", "/large", "/local")) {
                FileStatus status = remote.bdt().stat(new FilePath(path)).orElseThrow();
                assertThat(status.attributes().mtimeMillis()).as(path).isEqualTo(-1_234);
            }
        }
    }

    @Test
    void manySmallFilesAreReadableFromTheBufferAndFromTheirBlob() throws Exception {
        try (PackingWorker worker = rig.worker("w1");
                PackingFileSystem local = worker.open(rig.options());
                RemotePackingFileSystem mount = rig.remote(rig.options(), ANY)) {
            List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                puts.add(mount.put(path(i), ByteBuffer.wrap(bytes(i, i)), NEW));
            }
            for (int i = 0; i < puts.size(); i++) {
                FileVersion version = puts.get(i).get();
                FileStatus status = mount.bdt().stat(path(i)).orElseThrow();
                assertThat(status.version()).isEqualTo(version);
                assertThat(status.attributes().owner()).isEqualTo("o");
                assertThat(status.attributes().mode()).isEqualTo(0644);
            }
            for (int i = 0; i < puts.size(); i++) {
                assertThat(read(mount, path(i))).isEqualTo(bytes(i, i));
            }
            mount.flush();
            for (int i = 0; i < puts.size(); i++) {
                assertThat(mount.bdt().stat(path(i)).orElseThrow().state()).isEqualTo(FileStatus.State.PACKED);
                assertThat(read(mount, path(i))).isEqualTo(bytes(i, i));
            }
            assertThat(read(local, path(1))).isEqualTo(bytes(1, 1));
        }
    }

    @Test
    void whatTheNamespaceRefusesFailsAlone() throws Exception {
        try (PackingWorker worker = rig.worker("w1");
                PackingFileSystem local = worker.open(rig.options());
                RemotePackingFileSystem mount = rig.remote(rig.options(), Writers.at(address(local)))) {
            write(mount, "/a", bytes(1, 10), NEW);
            CompletableFuture<FileVersion> again = mount.put(new FilePath("/a"), ByteBuffer.allocate(3), NEW);
            CompletableFuture<FileVersion> orphan = mount.put(new FilePath("/x/y"), ByteBuffer.allocate(3), NO_PARENTS);
            CompletableFuture<FileVersion> good = mount.put(new FilePath("/b"), ByteBuffer.wrap(bytes(2, 9)), NEW);
            assertThatThrownBy(again::get).hasCauseInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(orphan::get).hasCauseInstanceOf(NoSuchFileException.class);
            assertThat(good.get().id()).isPositive();
            assertThatThrownBy(() -> write(mount, "/a", bytes(2, 10), NEW))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(read(mount, new FilePath("/a"))).isEqualTo(bytes(1, 10));
            write(mount, "/a", bytes(2, 10), OVERWRITE);
            assertThat(read(mount, new FilePath("/a"))).isEqualTo(bytes(2, 10));
            assertThatThrownBy(() -> mount.open(new FilePath("/none"))).isInstanceOf(FileNotFoundException.class);
        }
    }

    private static String address(PackingFileSystem local) throws IOException {
        return local.bdt().workers().get(0).address();
    }

    @Test
    void aLargeFileStreamsAndIsRefusedLikeASmallOne() throws Exception {
        byte[] content = bytes(1, 9_000_001);
        MountOptions options = rig.options("packing.spill.bytes", "100KB");
        try (PackingWorker worker = rig.worker("w1");
                PackingFileSystem local = worker.open(options);
                RemotePackingFileSystem mount = rig.remote(options, ANY)) {
            PackingOutput out = mount.create(new FilePath("/large"), NEW);
            out.write(content);
            out.close();
            assertThat(out.attributes().length()).isEqualTo(content.length);
            assertThat(read(mount, new FilePath("/large"))).isEqualTo(content);
            assertThatThrownBy(() -> write(mount, "/large", content, NEW))
                    .isInstanceOf(FileAlreadyExistsException.class);
            PackingOutput given = mount.create(new FilePath("/given-up"), NEW);
            given.write(content);
            given.abort();
            given.close();
            mount.flush();
            assertThat(read(mount, new FilePath("/large"))).isEqualTo(content);
            assertThat(mount.bdt().stat(new FilePath("/given-up"))).isEmpty();
            assertThat(local.bdt().statistics().bufferedFiles()).isZero();
        }
    }

    @Test
    void aWorkerThatSpillsEarlierThanItsClientStillTakesTheFile() throws Exception {
        byte[] content = bytes(1, 300_000);
        try (PackingWorker worker = rig.worker("w1");
                PackingFileSystem local = worker.open(rig.options("packing.spill.bytes", "100KB"));
                RemotePackingFileSystem mount = rig.remote(rig.options(), ANY)) {
            write(mount, "/a", content, NEW);
            assertThat(read(mount, new FilePath("/a"))).isEqualTo(content);
            assertThat(read(local, new FilePath("/a"))).isEqualTo(content);
        }
    }

    @Test
    void aWorkerThatDiesFailsWhatIsPendingAndTheNextOneTakesOver() throws Exception {
        PackingWorker first = rig.worker("w1");
        PackingFileSystem firstMount = first.open(rig.options());
        try (RemotePackingFileSystem mount = rig.remote(rig.options("packing.spill.bytes", "1KB"), ANY)) {
            mount.put(new FilePath("/before"), ByteBuffer.allocate(1), NEW).get();
            PackingOutput large = mount.create(new FilePath("/large"), NEW);
            large.write(new byte[5_000]);
            List<CompletableFuture<FileVersion>> puts = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                puts.add(mount.put(path(i), ByteBuffer.wrap(bytes(i, 4_000)), NEW));
            }
            firstMount.close();
            first.close();
            for (CompletableFuture<FileVersion> put : puts) {
                try {
                    assertThat(put.get().id()).isPositive();
                } catch (ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOf(IOException.class);
                }
            }
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            large.write(new byte[10_000]);
                        }
                        large.close();
                    })
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(mount.put(new FilePath("/nobody"), ByteBuffer.allocate(1), OVERWRITE)::get)
                    .hasCauseInstanceOf(UnavailableException.class);
            try (PackingWorker second = rig.worker("w2");
                    PackingFileSystem secondMount = second.open(rig.options())) {
                assertThat(secondMount.bdt().workers()).isNotEmpty();
                for (int i = 0; i < 1_000; i++) {
                    int number = i;
                    puts.set(i, mount.put(path(number), ByteBuffer.wrap(bytes(number, 4_000)), OVERWRITE));
                }
                for (int i = 0; i < 1_000; i++) {
                    assertThat(puts.get(i).get().id()).isPositive();
                    assertThat(read(mount, path(i))).isEqualTo(bytes(i, 4_000));
                }
            }
        }
    }

    @Test
    void withoutAWorkerTheErrorSaysToStartOne() throws Exception {
        try (RemotePackingFileSystem mount = rig.remote(rig.options("packing.worker.timeout", "300ms"), ANY)) {
            assertThatThrownBy(mount.put(new FilePath("/a"), ByteBuffer.allocate(1), NEW)::get)
                    .hasCauseInstanceOf(UnavailableException.class)
                    .hasMessageContaining("Start one");
        }
    }

    @Test
    void aFlushNamesTheWorkersThatAreGoneAndHoldFiles() throws Exception {
        try (PackingWorker gone = rig.worker("w-gone")) {
            write(gone.open(rig.options()), "/a/first", bytes(1, 5_000), NEW);
        }
        // A new master has no lease of the old one; a wait for its end would have the same effect.
        stop();
        start();
        try (PackingWorker alive = rig.worker("w-alive");
                PackingFileSystem local = alive.open(rig.options());
                RemotePackingFileSystem mount = rig.remote(rig.options(), ANY)) {
            write(local, "/a/second", bytes(2, 5_000), NEW);
            assertThatThrownBy(mount::flush)
                    .isInstanceOf(UnreachedWorkersException.class)
                    .hasMessageContaining("worker w-gone is gone and holds 1 files: start it again")
                    .hasMessageNotContaining("w-alive");
            assertThat(mount.bdt().stat(new FilePath("/a/second")).orElseThrow().state())
                    .isEqualTo(FileStatus.State.PACKED);
            try (PackingWorker back = rig.worker("w-gone");
                    PackingFileSystem again = back.open(rig.options())) {
                mount.flush();
                assertThat(again.bdt().statistics().bufferedFiles()).isZero();
            }
        }
    }

    @Test
    void filesOfEveryWorkerAreReadAndFlushed() throws Exception {
        try (PackingWorker one = rig.worker("w1");
                PackingWorker two = rig.worker("w2");
                PackingFileSystem first = one.open(rig.options());
                PackingFileSystem second = two.open(rig.options());
                RemotePackingFileSystem mount = rig.remote(rig.options(), ANY)) {
            write(first, "/first", bytes(1, 5_000), NEW);
            write(second, "/second", bytes(2, 5_000), NEW);
            assertThat(read(mount, new FilePath("/first"))).isEqualTo(bytes(1, 5_000));
            assertThat(read(mount, new FilePath("/second"))).isEqualTo(bytes(2, 5_000));
            mount.flush();
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            assertThat(read(mount, new FilePath("/first"))).isEqualTo(bytes(1, 5_000));
            assertThat(read(mount, new FilePath("/second"))).isEqualTo(bytes(2, 5_000));
        }
    }
}
