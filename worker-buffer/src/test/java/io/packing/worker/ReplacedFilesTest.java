// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file that moves replace again and again exists at each moment, and reads as one of the files. */
@Timeout(120)
class ReplacedFilesTest {
    private static final FilePath NAME = new FilePath("/current");
    private static final int TIMES = 300;
    private static final int READERS = 2;

    @TempDir
    private Path temp;

    private static byte[] bytes(int number) {
        return "version %d".formatted(number).getBytes(StandardCharsets.UTF_8);
    }

    private static void replace(PackingFileSystem mount, int number) throws IOException {
        FilePath next = new FilePath("/next");
        MountRig.write(mount, next.value(), bytes(number), MountRig.NEW);
        assertThat(mount.bdt().apply(OperationVector.of(new Operation.Rename(next, NAME, true))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    private static void read(PackingFileSystem mount) throws IOException {
        assertThat(mount.bdt().stat(NAME)).isPresent();
        try (PackingInput in = mount.open(NAME)) {
            ByteBuffer into = ByteBuffer.allocate(100);
            int count = in.read(0, into);
            assertThat(new String(into.array(), 0, count, StandardCharsets.UTF_8))
                    .startsWith("version ");
        } catch (FileNotFoundException e) {
            // The file was replaced, not the name.
            assertThat(e).hasMessageContaining("was deleted or overwritten");
        }
    }

    @Test
    void aNameIsNeverWithoutAFile() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            replace(rig.mounts.get(0), 0);
            AtomicBoolean ended = new AtomicBoolean();
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                PackingFileSystem mount = rig.mounts.get(i % 2);
                readers.add(MountRig.async(() -> {
                    while (!ended.get()) {
                        read(mount);
                    }
                }));
            }
            for (int i = 1; i <= TIMES; i++) {
                replace(rig.mounts.get(i % 2), i);
            }
            ended.set(true);
            readers.forEach(CompletableFuture::join);
            assertThat(MountRig.read(rig.mounts.get(0), NAME.value())).isEqualTo(bytes(TIMES));
        }
    }
}
