// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clones on condition, alone and beside other clients that change the files meanwhile. */
@Timeout(120)
class EqualBytesTest {
    private static final FilePath A = new FilePath("/d/a");
    private static final FilePath B = new FilePath("/d/b");
    private static final byte[] BYTES = MountRig.bytes(1, 3_000_000);
    private static final byte[] OTHERS = MountRig.bytes(2, 3_000_000);

    @TempDir
    private Path temp;

    private MountRig rig;
    private PackingFileSystem mount;

    /** The act of another client. */
    private interface Other {
        void act() throws IOException;
    }

    /** The acts of other clients once a file was read. */
    private final Map<FilePath, Other> afterRead = new ConcurrentHashMap<>();

    @BeforeEach
    void start() throws IOException {
        rig = new MountRig(temp, Clock.systemUTC());
        mount = new Watched(rig.mounts.get(0));
        write(A, BYTES);
        write(B, BYTES);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private void write(FilePath path, byte[] bytes) throws IOException {
        MountRig.write(rig.mounts.get(1), path.value(), bytes, MountRig.OVERWRITE);
    }

    private byte[] read(FilePath path) throws IOException {
        return MountRig.read(rig.mounts.get(1), path.value());
    }

    private static ByteRange all(FilePath path) {
        return new ByteRange(path, 0, BYTES.length);
    }

    private FileStatus stat(FilePath path) throws IOException {
        return mount.bdt().stat(path).orElseThrow();
    }

    /** Returns the version whose bytes a file has at an offset. */
    private FileVersion content(FilePath path, long offset) throws IOException {
        LocatedFile file = mount.bdt().locate(path).orElseThrow();
        if (!(file.placement() instanceof Placement.Mapped mapped)) {
            return file.status().version();
        }
        return mapped.pieces().stream()
                .filter(piece -> piece.offset() <= offset && offset < piece.offset() + piece.length())
                .findFirst()
                .orElseThrow()
                .content()
                .status()
                .version();
    }

    private void assertShared(boolean shared) throws IOException {
        assertThat(content(B, 0).equals(content(A, 0))).isEqualTo(shared);
    }

    @Test
    void equalFilesShareTheirBytesAndNobodySeesADifference() throws IOException {
        FileStatus before = stat(B);
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isTrue();
        assertShared(true);
        assertThat(read(B)).isEqualTo(BYTES);
        assertThat(stat(B).version().id()).isEqualTo(before.version().id());
        assertThat(stat(B).attributes()).isEqualTo(before.attributes());
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isTrue();
        assertThat(mount.cloneIfEqual(all(A), A, 0)).isTrue();
    }

    @Test
    void ofUnequalFilesEqualRangesAreSharedAtAnyOffset() throws IOException {
        byte[] shifted = new byte[BYTES.length + 7];
        System.arraycopy(BYTES, 0, shifted, 7, BYTES.length);
        write(B, shifted);
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isFalse();
        assertThat(mount.cloneIfEqual(new ByteRange(A, 100, 2_000_000), B, 107)).isTrue();
        assertThat(content(B, 107)).isEqualTo(content(A, 100));
        assertThat(content(B, 106)).isNotEqualTo(content(A, 99));
        assertThat(read(B)).isEqualTo(shifted);
    }

    @Test
    void aSnapshotIsASource() throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(new Operation.TakeSnapshot(new FilePath("/d"), "s"))))
                .isNotNull();
        write(A, OTHERS);
        FilePath past = new FilePath("/d/.snapshot/s/a");
        assertThat(mount.cloneIfEqual(all(past), B, 0)).isTrue();
        assertThat(content(B, 0)).isEqualTo(content(past, 0));
    }

    @Test
    void bytesThatDifferAtTheLastOneAreNotShared() throws IOException {
        byte[] nearly = BYTES.clone();
        nearly[nearly.length - 1]++;
        write(B, nearly);
        FileStatus before = stat(B);
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isFalse();
        assertThat(stat(B)).isEqualTo(before);
        assertShared(false);
    }

    @Test
    void aRangeBehindTheEndAndAFileThatIsNotThereAreSaid() {
        assertThatThrownBy(() -> mount.cloneIfEqual(all(A), B, 1))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("/d/b")
                .hasMessageContaining("the file has 3000000 bytes");
        assertThatThrownBy(() -> mount.cloneIfEqual(all(new FilePath("/none")), B, 0))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("/none");
        assertThatThrownBy(() -> mount.cloneIfEqual(all(A), new FilePath("/none"), 0))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aDestinationThatIsOverwrittenAfterItWasReadKeepsItsNewBytes() throws IOException {
        afterRead.put(B, () -> write(B, OTHERS));
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isFalse();
        assertThat(read(B)).isEqualTo(OTHERS);
        assertThat(read(A)).isEqualTo(BYTES);
    }

    @Test
    void aSourceThatIsOverwrittenAfterItWasReadGivesItsNewBytesToNobody() throws IOException {
        afterRead.put(A, () -> write(A, OTHERS));
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isFalse();
        assertThat(read(B)).isEqualTo(BYTES);
        assertThat(read(A)).isEqualTo(OTHERS);
    }

    @Test
    void equalBytesInTheDestinationsPlaceAreComparedAgainAndShared() throws IOException {
        afterRead.put(B, () -> write(B, BYTES));
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isTrue();
        assertShared(true);
    }

    @Test
    void filesThatBothBecomeEqualOtherBytesAreNotSaidToDiffer() throws IOException {
        write(B, OTHERS);
        // The bytes read of A were the earlier ones; the two files are equal only now.
        afterRead.put(A, () -> write(A, OTHERS));
        assertThat(mount.cloneIfEqual(all(A), B, 0)).isTrue();
        assertThat(read(B)).isEqualTo(OTHERS);
        assertShared(true);
    }

    @Test
    void aDestinationThatIsDeletedStaysDeleted() throws IOException {
        afterRead.put(B, () -> mount.bdt().delete(B, false));
        assertThatThrownBy(() -> mount.cloneIfEqual(all(A), B, 0)).isInstanceOf(FileNotFoundException.class);
        assertThat(mount.bdt().stat(B)).isEmpty();
    }

    @Test
    void afterOthersWonEachTimeNothingHasChangedAndTheCallerIsTold() throws IOException {
        againAndAgain();
        assertThatThrownBy(() -> mount.cloneIfEqual(all(A), B, 0))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("try again");
        assertShared(false);
    }

    private void againAndAgain() {
        afterRead.put(B, () -> {
            write(B, Arrays.copyOf(BYTES, BYTES.length));
            againAndAgain();
        });
    }

    /** A mount that lets a test act after a file's read. */
    private final class Watched implements PackingFileSystem {
        private final PackingFileSystem files;

        Watched(PackingFileSystem files) {
            this.files = files;
        }

        @Override
        public Bdt bdt() {
            return files.bdt();
        }

        @Override
        public PackingOutput create(FilePath path, CreateOptions options) throws IOException {
            return files.create(path, options);
        }

        @Override
        public boolean isUploaded(FilePath path) {
            return files.isUploaded(path);
        }

        @Override
        public PackingInput open(FilePath path) throws IOException {
            return files.open(path);
        }

        @Override
        public PackingInput open(LocatedFile file) throws IOException {
            PackingInput input = files.open(file);
            return new PackingInput() {
                @Override
                public FileAttributes attributes() {
                    return input.attributes();
                }

                @Override
                public int read(long position, ByteBuffer into) throws IOException {
                    return input.read(position, into);
                }

                @Override
                public void close() {
                    input.close();
                    Other other = afterRead.remove(file.status().path());
                    if (other != null) {
                        try {
                            other.act();
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }
            };
        }

        @Override
        public void flush() throws IOException {
            files.flush();
        }

        @Override
        public void close() {
            // The rig closes the mount.
        }
    }
}
