// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelMountTableTest {
    @Test
    void octalEscapesAreBytes() {
        assertThat(KernelMountTable.unescape("/a\\040b\\134c")).isEqualTo("/a b\\c");
        assertThat(KernelMountTable.unescape("/\u00c3\u00bc")).isEqualTo("/ü");
        assertThat(KernelMountTable.unescape("/end\\04")).isEqualTo("/end\\04");
    }

    @Test
    void procIsMounted() throws IOException {
        assertThat(KernelMountTable.typeAt(Path.of("/proc"))).contains("proc");
        assertThat(KernelMountTable.typeAt(Path.of("/proc/self"))).isEmpty();
        assertThat(KernelMountTable.isDead(Path.of("/proc"))).isFalse();
    }
}
