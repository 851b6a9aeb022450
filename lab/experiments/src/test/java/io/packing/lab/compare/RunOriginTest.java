// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOriginTest {
    @TempDir
    Path directory;

    @Test
    void aMountWithoutOptionsHasTheDefaultsThatShip() throws Exception {
        RunOrigin origin = RunOrigin.of(directory, Map.of());
        assertThat(origin.lines().get(0)).isEqualTo("Mount: the defaults that ship");
        assertThat(origin.machine()).contains("processors, ", "JDK ");
    }

    @Test
    void aMountWithOptionsNamesThem() throws Exception {
        assertThat(RunOrigin.of(directory, Map.of("packing.policy", "size"))
                        .lines()
                        .get(0))
                .isEqualTo("Mount: {packing.policy=size}");
    }

    @Test
    void sourcesOutsideOfACloneHaveAnUnknownCommit() throws Exception {
        assertThat(RunOrigin.of(directory, Map.of()).commit()).isEqualTo("unknown");
    }
}
