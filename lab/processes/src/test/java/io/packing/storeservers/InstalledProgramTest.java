// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Programs of others on the path. */
class InstalledProgramTest {
    @Test
    void aMissingProgramIsSaidWithTheCommandThatInstallsIt() {
        assertThatThrownBy(() -> InstalledProgram.require("no-such-program", "apt-get install it"))
                .isInstanceOf(IOException.class)
                .hasMessage("no-such-program is neither on the path nor in -Dpacking.servers=DIR: apt-get install it");
    }

    @Test
    void aProgramOnThePathIsFound() throws IOException {
        Path shell = InstalledProgram.require("sh", "apt-get install dash").path();
        assertThat(shell).isAbsolute().isExecutable().hasFileName("sh");
    }
}
