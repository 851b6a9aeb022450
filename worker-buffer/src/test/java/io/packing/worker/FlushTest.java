// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.store.Fault;
import io.packing.store.FaultyObjectStore;
import io.packing.store.RequestKind;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flush ends when all files are pushed, or when the pushes fail for long. */
@Timeout(60)
final class FlushTest {
    @TempDir
    private Path temp;

    @Test
    void aFlushSaysWhyNothingIsPushedAndTheFilesStay() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.flush.timeout", "1s")) {
            PackingFileSystem mount = rig.mounts.get(0);
            MountRig.write(mount, "/a", new byte[1_000], MountRig.NEW);
            FaultyObjectStore store = rig.stores.get(0);
            store.failNext(RequestKind.PUT, Fault.BEFORE, 10_000);
            assertThatThrownBy(mount::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be flushed")
                    .hasMessageContaining("failed")
                    .hasMessageContaining("stay in the buffer");
            // A flush at another worker fails, too.
            assertThatThrownBy(rig.mounts.get(1)::flush)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be flushed");
            assertThat(MountRig.read(mount, "/a")).hasSize(1_000);
            store.failNoMore();
            while (mount.bdt().statistics().bufferedFiles() > 0) {
                Thread.onSpinWait();
            }
            mount.flush();
            assertThat(MountRig.read(mount, "/a")).hasSize(1_000);
        }
    }
}
