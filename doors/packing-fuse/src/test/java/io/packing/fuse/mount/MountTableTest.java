package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MountTableTest {
    @Test
    void octalEscapesAreBytes() {
        assertThat(MountTable.unescape("/a\\040b\\134c")).isEqualTo("/a b\\c");
        assertThat(MountTable.unescape("/\u00c3\u00bc")).isEqualTo("/ü");
        assertThat(MountTable.unescape("/end\\04")).isEqualTo("/end\\04");
    }

    @Test
    void procIsMounted() throws IOException {
        assertThat(MountTable.typeAt(Path.of("/proc"))).contains("proc");
        assertThat(MountTable.typeAt(Path.of("/proc/self"))).isEmpty();
        assertThat(MountTable.isDead(Path.of("/proc"))).isFalse();
    }
}
