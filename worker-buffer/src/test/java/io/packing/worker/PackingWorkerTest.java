// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.BufferValues;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(BufferValues.class)
final class PackingWorkerTest extends WorkerFixture {
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "directory", "size"})
    void filesAreReadableFromTheBufferAndFromTheirOneBlob(String policy) throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.policy", policy))) {
            for (int i = 0; i < 50; i++) {
                write(mount, "/d/" + i, bytes(i, 100 * i), NEW);
                assertThat(read(mount, "/d/" + i)).isEqualTo(bytes(i, 100 * i));
            }
            mount.flush();
            assertThat(blobs()).isEqualTo(1);
            for (int i = 0; i < 50; i++) {
                assertThat(read(mount, "/d/" + i)).isEqualTo(bytes(i, 100 * i));
                assertThat(table.stat(new FilePath("/d/" + i)).orElseThrow().state())
                        .isEqualTo(FileStatus.State.PACKED);
            }
        }
    }

    @Test
    void aLargeFileIsSlicedIntoSeveralBlobs() throws IOException {
        byte[] content = bytes(1, 3_000_001);
        try (PackingWorker worker = worker();
                PackingFileSystem mount =
                        worker.open(options("packing.blob.max.bytes", "1MB", "packing.spill.bytes", "100KB"))) {
            write(mount, "/large", content, NEW);
            assertThat(read(mount, "/large")).isEqualTo(content);
            mount.flush();
            assertThat(blobs()).isEqualTo(3);
            assertThat(read(mount, "/large")).isEqualTo(content);
        }
    }

    @Test
    void filesOfAFewMegabytesShareABlob() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            for (int i = 0; i < 6; i++) {
                write(mount, "/" + i, bytes(i, 5_000_000 + i), NEW);
                write(mount, "/small" + i, bytes(i, 1_000), NEW);
            }
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 6; i++) {
                    assertThat(read(mount, "/" + i)).isEqualTo(bytes(i, 5_000_000 + i));
                    assertThat(read(mount, "/small" + i)).isEqualTo(bytes(i, 1_000));
                }
                mount.flush();
                assertThat(blobs()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFileAboveTheLimitHasABlobOfItsOwn() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.spill.bytes", "5MB"))) {
            for (int i = 0; i < 2; i++) {
                write(mount, "/shares" + i, bytes(i, 5 << 20), NEW);
                write(mount, "/alone" + i, bytes(i, (5 << 20) + 1), NEW);
            }
            mount.flush();
            assertThat(blobs()).isEqualTo(3);
        }
    }

    @Test
    void aFileOfMoreThanASixteenthOfABlobHasOneOfItsOwn() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.blob.max.bytes", "64MB"))) {
            write(mount, "/0", bytes(0, 5_000_000), NEW);
            write(mount, "/1", bytes(1, 5_000_000), NEW);
            mount.flush();
            assertThat(blobs()).isEqualTo(2);
        }
    }

    @Test
    void slicesBeyondTheirMemoryGoToTheDisk() throws IOException {
        int piece = 4 << 20;
        List<PackingOutput> open = new ArrayList<>();
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.spill.bytes", "64MB"))) {
            long written = 0;
            for (int i = 0; i < 10; i++) {
                open.add(mount.create(new FilePath("/f" + i), NEW));
                for (int each = 0; each < 3; each++) {
                    open.get(i).write(new byte[piece]);
                    written += piece;
                }
                // Each output has a piece in memory, and all of them have 64 MB of slices there.
                assertThat(slicedBytes()).isGreaterThanOrEqualTo(written - (i + 1L) * piece - (64 << 20));
            }
            assertThat(slicedBytes()).isPositive();
            for (PackingOutput each : open) {
                each.close();
            }
            mount.flush();
            assertThat(blobs()).isEqualTo(1);
        }
    }

    /** Returns the bytes of files that are not complete, on the disk. */
    private long slicedBytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(temp.resolve("buffer-w1"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".slices")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Test
    void aRestartedWorkerGoesOnWithWhatItBuffered() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.spill.bytes", "100KB"))) {
            write(mount, "/small", bytes(1, 1_000), NEW);
            write(mount, "/empty", new byte[0], NEW);
            write(mount, "/large", bytes(2, 300_000), NEW);
            write(mount, "/deleted", bytes(3, 1_000), NEW);
            table.delete(new FilePath("/deleted"), false);
        }
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            assertThat(read(mount, "/small")).isEqualTo(bytes(1, 1_000));
            assertThat(read(mount, "/empty")).isEmpty();
            assertThat(read(mount, "/large")).isEqualTo(bytes(2, 300_000));
            mount.flush();
            assertThat(read(mount, "/small")).isEqualTo(bytes(1, 1_000));
            assertThat(read(mount, "/large")).isEqualTo(bytes(2, 300_000));
        }
    }

    @Test
    void aStartCleansUpWhatACrashLeftInScratchAndRebuildsADamagedIndex() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            write(mount, "/small", bytes(1, 1_000), NEW);
            write(mount, "/large", bytes(2, 9_000_000), NEW);
        }
        Path home;
        try (Stream<Path> mounts = Files.list(temp.resolve("buffer-w1"))) {
            home = mounts.filter(path -> path.getFileName().toString().startsWith("mount-"))
                    .findFirst()
                    .orElseThrow();
        }
        Path half = Files.write(home.resolve("scratch/packing-1.blob"), new byte[10]);
        Files.writeString(home.resolve("index/data/CURRENT"), "MANIFEST-of-nothing\n");
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            assertThat(half).doesNotExist();
            assertThat(read(mount, "/small")).isEqualTo(bytes(1, 1_000));
            mount.flush();
            assertThat(read(mount, "/small")).isEqualTo(bytes(1, 1_000));
            assertThat(read(mount, "/large")).isEqualTo(bytes(2, 9_000_000));
        }
    }

    @Test
    void anExistingPathIsRefusedUnlessOverwritingIsAskedFor() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            write(mount, "/a", bytes(1, 10), NEW);
            assertThatThrownBy(() -> write(mount, "/a", bytes(2, 10), NEW))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThat(read(mount, "/a")).isEqualTo(bytes(1, 10));
            write(mount, "/a", bytes(2, 10), OVERWRITE);
            mount.flush();
            assertThat(read(mount, "/a")).isEqualTo(bytes(2, 10));
        }
    }

    @Test
    void uploadedFilesArePackedWhenCloseReturns() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options("packing.durability", "uploaded"))) {
            write(mount, "/a", bytes(1, 10), NEW);
            assertThat(table.stat(new FilePath("/a")).orElseThrow().state()).isEqualTo(FileStatus.State.PACKED);
        }
    }

    @Test
    void uploadedFilesSurviveTheLossOfTheWorkersDisk() throws IOException {
        MountOptions uploaded = options("packing.durability", "uploaded", "packing.spill.bytes", "100KB");
        PackingWorker worker = worker();
        PackingFileSystem mount = worker.open(uploaded);
        for (int i = 0; i < 20; i++) {
            write(mount, "/" + i, bytes(i, 1_000), NEW);
        }
        write(mount, "/large", bytes(1, 300_000), NEW);
        Files.move(temp.resolve("buffer-w1"), temp.resolve("lost"));
        try (PackingWorker other = worker("w2");
                PackingFileSystem reader = other.open(uploaded)) {
            for (int i = 0; i < 20; i++) {
                assertThat(read(reader, "/" + i)).isEqualTo(bytes(i, 1_000));
            }
            assertThat(read(reader, "/large")).isEqualTo(bytes(1, 300_000));
        }
        // A worker without its directory says so when it is closed.
        Files.move(temp.resolve("lost"), temp.resolve("buffer-w1"));
        mount.close();
        worker.close();
    }

    @Test
    void aBufferDirectoryHasOneWorker() throws IOException {
        try (PackingWorker unused = worker()) {
            assertThatThrownBy(this::worker).isInstanceOf(IOException.class).hasMessageContaining("in use");
        }
    }

    @Test
    void anotherWorkerReadsWhatIsBufferedFromItsOwnerAndThenFromTheBlob() throws IOException {
        try (PackingWorker owner = worker("w1");
                PackingWorker other = worker("w2");
                PackingFileSystem writer = owner.open(options());
                PackingFileSystem reader = other.open(options())) {
            write(writer, "/a", bytes(1, 5_000), NEW);
            try (PackingInput in = reader.open(new FilePath("/a"))) {
                ByteBuffer first = ByteBuffer.allocate(10);
                assertThat(in.read(100, first)).isEqualTo(10);
                writer.flush();
                assertThat(in.read(100, first.clear())).isEqualTo(10);
            }
            assertThat(read(reader, "/a")).isEqualTo(bytes(1, 5_000));
        }
    }

    @Test
    void aReaderWhoseFileWasDeletedAndItsBlobCollectedIsToldSo() throws IOException {
        try (PackingWorker worker = worker();
                PackingFileSystem mount = worker.open(options())) {
            write(mount, "/a", bytes(1, 5_000), NEW);
            mount.flush();
            try (PackingInput in = mount.open(new FilePath("/a"));
                    ObjectStore store = ObjectStores.open(options().store())) {
                table.delete(new FilePath("/a"), false);
                store.delete(store.list("blobs/", "", 1_000).stream()
                        .map(ObjectInfo::key)
                        .toList());
                assertThatThrownBy(() -> in.read(0, ByteBuffer.allocate(10)))
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining("deleted or overwritten");
            }
        }
    }

    @Test
    void aMisspeltOptionIsNamedWithTheNearest() {
        assertThatThrownBy(() -> options("packing.polcy", "fifo")).hasMessageContaining("packing.policy");
    }
}
