// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that ran in a root directory: a mount namespace of its own and {@code chroot}, for all sides alike, since an engine would
 * add its own time to each.
 *
 * @param exit its exit code
 * @param said what it printed
 */
record ContainerRun(int exit, String said) {
    /** Has the machine's devices, as a container of an engine has some; without {@code /dev/null} even Perl does not start. */
    private static final String ENTER =
            "root=$1; shift; mkdir -p \"$root/dev\" && mount --rbind /dev \"$root/dev\" && exec chroot \"$root\" \"$@\"";

    /** Runs a program to its end. */
    static ContainerRun of(Path root, Path log, List<String> program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", ENTER, "sh", root.toString()));
        command.addAll(program);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int exit = process.waitFor();
        // A broken program may print anything.
        return new ContainerRun(exit, new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1));
    }
}
