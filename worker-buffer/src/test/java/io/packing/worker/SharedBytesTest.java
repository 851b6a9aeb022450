// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that share bytes, read through real workers while their bytes move from buffers to blobs. */
@Timeout(120)
class SharedBytesTest {
    private static final int LARGE = 9 << 20;

    @TempDir
    private Path temp;

    private static void apply(PackingFileSystem mount, Operation... operations) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private static Operation copy(String from, String to) {
        return new Operation.CloneFile(new FilePath(from), new FilePath(to), false, AttributeChange.NONE);
    }

    private static Operation range(String from, long offset, long length, String to, long at) {
        return new Operation.CloneRange(new ByteRange(new FilePath(from), offset, length), new FilePath(to), at);
    }

    @Test
    void clonesReadTheSameBytesFromBufferAndBlobAtEveryWorker() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem first = rig.mounts.get(0);
            byte[] small = MountRig.bytes(1, 1000);
            byte[] large = MountRig.bytes(2, LARGE);
            MountRig.write(first, "/small", small, MountRig.NEW);
            MountRig.write(first, "/large", large, MountRig.NEW);
            apply(
                    first,
                    copy("/small", "/small2"),
                    copy("/large", "/large2"),
                    // The range crosses two extents, and goes into the middle of another file.
                    range("/large", (4 << 20) - 10, 20, "/small2", 500));
            byte[] mixed = small.clone();
            System.arraycopy(large, (4 << 20) - 10, mixed, 500, 20);
            for (boolean flushed : new boolean[] {false, true}) {
                for (PackingFileSystem mount : rig.mounts) {
                    assertThat(MountRig.read(mount, "/small")).isEqualTo(small);
                    assertThat(MountRig.read(mount, "/small2")).isEqualTo(mixed);
                    assertThat(MountRig.read(mount, "/large")).isEqualTo(large);
                    assertThat(MountRig.read(mount, "/large2")).isEqualTo(large);
                }
                if (!flushed) {
                    first.flush();
                }
            }
        }
    }

    @Test
    void bytesOutliveTheFileThatWroteThem() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            byte[] bytes = MountRig.bytes(3, 5000);
            MountRig.write(mount, "/a", bytes, MountRig.NEW);
            apply(mount, copy("/a", "/b"));
            assertThat(mount.bdt().delete(new FilePath("/a"), false)).isEqualTo(Outcome.DONE);
            rig.restartWorkers();
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
            rig.mounts.get(0).flush();
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
            rig.loseMaster(true, "w0", "w1");
            assertThat(MountRig.read(rig.mounts.get(1), "/b")).isEqualTo(bytes);
        }
    }

    @Test
    void anOpenFileIsReadToItsEndWhileOthersComeToShareIt() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            byte[] bytes = MountRig.bytes(4, 3000);
            MountRig.write(mount, "/a", bytes, MountRig.NEW);
            try (PackingInput open = mount.open(new FilePath("/a"))) {
                apply(mount, copy("/a", "/b"), new Operation.DeleteRange(new ByteRange(new FilePath("/a"), 0, 10)));
                mount.flush();
                ByteBuffer all = ByteBuffer.allocate(3000);
                while (all.hasRemaining()) {
                    assertThat(open.read(all.position(), all)).isPositive();
                }
                assertThat(all.array()).isEqualTo(bytes);
            }
            byte[] punched = bytes.clone();
            Arrays.fill(punched, 0, 10, (byte) 0);
            assertThat(MountRig.read(mount, "/a")).isEqualTo(punched);
        }
    }

    @Test
    void aVectorThatIsRefusedChangesNothing() throws IOException {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            PackingFileSystem mount = rig.mounts.get(0);
            byte[] bytes = MountRig.bytes(5, 100);
            MountRig.write(mount, "/a", bytes, MountRig.NEW);
            VectorResult result = mount.bdt()
                    .apply(new OperationVector(
                            List.of(), List.of(copy("/a", "/b"), range("/a", 50, 51, "/b", 0), copy("/a", "/c"))));
            assertThat(result).isEqualTo(new VectorResult.Refused(VectorResult.Kind.OPERATION, 1, Outcome.INVALID));
            assertThat(mount.bdt().stat(new FilePath("/b"))).isEmpty();
            assertThat(MountRig.read(mount, "/a")).isEqualTo(bytes);
        }
    }
}
