// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Another place for a mounted directory. */
final class BindMount {
    private BindMount() {}

    /** Shows a directory at another one. No moment lets a program write through a place that is read-only. */
    static void make(Path from, Path to, boolean readOnly) throws IOException, InterruptedException {
        Process mount = new ProcessBuilder(
                        List.of("mount", "-o", readOnly ? "bind,ro" : "bind", from.toString(), to.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = mount.waitFor();
        if (code != 0) {
            throw new IOException("%s was not shown at %s, exit code %d: %s".formatted(from, to, code, said));
        }
    }
}
