// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.PackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that replace those of an existing file. */
@Timeout(120)
class WriteAtTest {
    private static final FilePath FILE = new FilePath("/d/f");
    private static final FilePath CLONE = new FilePath("/d/clone");
    private static final int LARGE = 9 << 20;

    @TempDir
    private Path temp;

    private MountRig rig;
    private PackingFileSystem mount;

    @BeforeEach
    void start() throws IOException {
        rig = new MountRig(temp, Clock.systemUTC());
        mount = rig.mounts.get(0);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private void apply(Operation operation) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void write(long offset, byte[] bytes) throws IOException {
        try (AtomicOutput out = mount.writeAt(FILE, offset)) {
            out.write(bytes);
        }
    }

    private byte[] read(FilePath path) throws IOException {
        return MountRig.read(rig.mounts.get(1), path.value());
    }

    private List<FileStatus> scratches() throws IOException {
        return mount.bdt().list(FilePath.SCRATCH, "", 10).orElse(List.of());
    }

    private static byte[] with(byte[] old, int offset, byte[] bytes) {
        byte[] all = Arrays.copyOf(old, Math.max(old.length, offset + bytes.length));
        System.arraycopy(bytes, 0, all, offset, bytes.length);
        return all;
    }

    @Test
    void newBytesTakeTheirPlaceAtAnyOffsetAndAClonesBytesStay() throws IOException {
        byte[] first = MountRig.bytes(1, LARGE);
        MountRig.write(mount, FILE.value(), first, MountRig.NEW);
        apply(new Operation.CloneFile(FILE, CLONE, false, AttributeChange.NONE));
        byte[] expected = first;
        // The writes are within an extent, across two, over all, and behind the end.
        int[] offsets = {5, (4 << 20) - 3, 0, LARGE + 100};
        int[] lengths = {1, 7, LARGE, 10};
        for (int i = 0; i < offsets.length; i++) {
            byte[] bytes = MountRig.bytes(10 + i, lengths[i]);
            write(offsets[i], bytes);
            expected = with(expected, offsets[i], bytes);
            assertThat(read(FILE)).as("write %d", i).isEqualTo(expected);
        }
        assertThat(read(CLONE)).isEqualTo(first);
        assertThat(scratches()).isEmpty();
        mount.flush();
        assertThat(read(FILE)).isEqualTo(expected);
        assertThat(read(CLONE)).isEqualTo(first);
    }

    @Test
    void nothingIsSeenBeforeTheCloseAndNothingIsLeftOfWhatIsGivenUp() throws IOException {
        byte[] old = MountRig.bytes(1, 1_000);
        MountRig.write(mount, FILE.value(), old, MountRig.NEW);
        AtomicOutput out = mount.writeAt(FILE, 10);
        out.write(MountRig.bytes(2, LARGE));
        assertThat(read(FILE)).isEqualTo(old);
        out.abort();
        out.close();
        assertThat(read(FILE)).isEqualTo(old);
        assertThat(scratches()).isEmpty();
        assertThatThrownBy(() -> out.write(1)).hasMessageContaining("closed");
    }

    @Test
    void whoWritesNothingChangesNothing() throws IOException {
        MountRig.write(mount, FILE.value(), new byte[3], MountRig.NEW);
        FileStatus before = mount.bdt().stat(FILE).orElseThrow();
        write(100, new byte[0]);
        assertThat(mount.bdt().stat(FILE)).contains(before);
    }

    @Test
    void whereNoFileIsNothingIsWrittenAndTheCauseIsSaid() throws IOException {
        assertThatThrownBy(() -> write(0, new byte[9]))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("/d/f: no such file; nothing was written");
        assertThat(mount.bdt().mkdir(FILE, new DirectoryAttributes("o", "g", 0755), true))
                .isNotNull();
        assertThatThrownBy(() -> write(0, new byte[9]))
                .isInstanceOf(IOException.class)
                .hasMessage("/d/f is a directory; nothing was written");
        assertThat(scratches()).isEmpty();
        assertThatThrownBy(() -> mount.writeAt(FILE, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mount.writeAt(new FilePath("/d/.snapshot/s/f"), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a snapshot is never changed");
    }

    @Test
    void ofWritersOfOtherRangesAtTheSameTimeNoneLosesItsBytes() throws IOException {
        int each = 64;
        int writes = 40;
        MountRig.write(mount, FILE.value(), new byte[2 * each], MountRig.NEW);
        List<CompletableFuture<Void>> writers = List.of(writer(0, each, writes), writer(1, each, writes));
        writers.forEach(CompletableFuture::join);
        byte[] found = read(FILE);
        assertThat(Arrays.copyOf(found, each)).containsOnly(writes);
        assertThat(Arrays.copyOfRange(found, each, 2 * each)).containsOnly(writes);
    }

    private CompletableFuture<Void> writer(int number, int each, int writes) {
        PackingFileSystem own = rig.mounts.get(number);
        return MountRig.async(() -> {
            for (int i = 1; i <= writes; i++) {
                byte[] bytes = new byte[each];
                Arrays.fill(bytes, (byte) i);
                try (AtomicOutput out = own.writeAt(FILE, (long) number * each)) {
                    out.write(bytes);
                }
            }
        });
    }
}
