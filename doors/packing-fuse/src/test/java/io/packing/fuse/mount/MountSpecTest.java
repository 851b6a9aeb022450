package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options with which the kernel mounts. */
class MountSpecTest {
    private static List<String> options(MountAccess access) {
        MountSpec spec = new MountSpec(Path.of("/m"), Path.of("/s"), "source", false, access, false);
        return List.of(spec.options().split(",", -1));
    }

    @Test
    void filesAreNoPrivilegeUnlessTheOperatorAsks() {
        assertThat(options(MountAccess.FILES)).contains("nosuid", "nodev", "allow_other");
        assertThat(options(MountAccess.FILES.with(true, false))).contains("suid", "nodev");
        assertThat(options(MountAccess.FILES.with(false, true))).contains("nosuid", "dev");
    }

    @Test
    void treesOfImagesAreRootsAlone() {
        assertThat(options(MountAccess.TREES)).contains("nosuid", "nodev").doesNotContain("allow_other");
        assertThat(MountAccess.TREES.hidden()).isTrue();
    }

    @Test
    void aContainersRootHasSetUserIdProgramsAndIsHidden() {
        assertThat(options(MountAccess.CONTAINER)).contains("suid", "nodev", "allow_other");
        assertThat(MountAccess.CONTAINER.hidden()).isTrue();
    }
}
