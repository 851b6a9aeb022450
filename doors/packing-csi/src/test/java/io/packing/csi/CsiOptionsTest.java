// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.blob.FilePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CsiOptionsTest {
    private static CsiOptions options(String name, CsiPart mode, String base, String node) {
        return new CsiOptions(
                name, Path.of("/run/csi.sock"), mode, new FilePath(base), node, Path.of("/state"), Optional.empty());
    }

    @Test
    void anEndpointIsASocketOfThisMachine() {
        for (String text : List.of("unix:///run/csi.sock", "unix:/run/csi.sock", "/run/csi.sock")) {
            assertThat(CsiOptions.socket(text)).isEqualTo(Path.of("/run/csi.sock"));
        }
        for (String text : List.of("tcp://127.0.0.1:1", "unix://", "csi.sock", "unix:///run/")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CsiOptions.socket(text))
                    .withMessageContaining("give unix:///DIRECTORY/csi.sock");
        }
    }

    @Test
    void whatNoDriverCanHaveIsRefused() {
        assertThat(options("csi.packing.io", CsiPart.CONTROLLER, "/volumes", "").name())
                .isEqualTo("csi.packing.io");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("Driver_1", CsiPart.ALL, "/volumes", "n"))
                .withMessageContaining("is no name of a driver");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("csi.packing.io", CsiPart.ALL, "/", "n"))
                .withMessageContaining("need a directory of the mount");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("csi.packing.io", CsiPart.ALL, "/.reserved/volumes", "n"))
                .withMessageContaining("the system's own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options("csi.packing.io", CsiPart.NODE, "/volumes", ""))
                .withMessageContaining("--node-id");
    }
}
