// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options with which the kernel mounts. */
class MountSpecTest {
    private static List<String> options(MountAccessOptions access) {
        MountSpec spec = new MountSpec(Path.of("/m"), Path.of("/s"), "source", false, access, false);
        return List.of(spec.options().split(",", -1));
    }

    @Test
    void filesAreNoPrivilegeUnlessTheOperatorAsks() {
        assertThat(options(MountAccessOptions.FILES)).contains("nosuid", "nodev", "allow_other");
        assertThat(options(MountAccessOptions.FILES.with(true, false))).contains("suid", "nodev");
        assertThat(options(MountAccessOptions.FILES.with(false, true))).contains("nosuid", "dev");
    }

    @Test
    void treesOfImagesAreRootsAlone() {
        assertThat(options(MountAccessOptions.TREES))
                .contains("nosuid", "nodev")
                .doesNotContain("allow_other");
        assertThat(MountAccessOptions.TREES.hidden()).isTrue();
    }

    @Test
    void aContainersRootHasSetUserIdProgramsAndIsHidden() {
        assertThat(options(MountAccessOptions.CONTAINER)).contains("suid", "nodev", "allow_other");
        assertThat(MountAccessOptions.CONTAINER.hidden()).isTrue();
    }
}
