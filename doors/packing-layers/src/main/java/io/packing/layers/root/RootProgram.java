// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program that runs in a container's root with an overlay for its writes, in namespaces of its own for mounts and processes. Overlay
 * and processes are gone when it ends. It has the machine's devices and network, and its output goes to standard error.
 */
public final class RootProgram {
    /** The exit code if the root could not be prepared; programs that a signal has ended have codes from 128 on, too. */
    public static final int NOT_PREPARED = 254;

    private static final String ENTER = """
            { mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root" \
              && mkdir -p "$2/root/proc" "$2/root/dev" \
              && mount -t proc proc "$2/root/proc" && mount --rbind /dev "$2/root/dev"; } || exit %d
            root=$2/root
            shift 2
            exec chroot "$root" "$@" 1>&2
            """.formatted(NOT_PREPARED);

    private RootProgram() {}

    /**
     * Runs a program to its end; returns its exit code.
     *
     * @param root of a container, which stays as it is
     * @param scratch an existing directory of this machine, below which the program's writes are until it ends
     */
    public static int run(Path root, Path scratch, List<String> program) throws IOException, InterruptedException {
        Path own = Files.createTempDirectory(scratch, "packing-root");
        try {
            for (String each : List.of("upper", "work", "root")) {
                Files.createDirectory(own.resolve(each));
            }
            List<String> command = new ArrayList<>(List.of(
                    "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", root.toString()));
            command.add(own.toString());
            command.addAll(program);
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
        } finally {
            delete(own);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
