// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A writable mount over a real master and worker, for each test; it is removed after the test. */
@NullUnmarked
abstract class OneMountFixture {
    @TempDir
    Path home;

    MountRig rig;
    FuseMount mount;
    Path root;

    @BeforeEach
    final void mount() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
        root = mount.directory();
    }

    @AfterEach
    final void unmount() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
                assertThat(KernelMountTable.typeAt(root)).isEmpty();
            }
        }
    }
}
