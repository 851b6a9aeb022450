// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A shell script in a root directory, with mounts and processes of its own, and the machine's devices and network. When it is closed, all
 * its processes are gone, and its mounts with them.
 *
 * @param log what it says
 */
record Container(Process process, Path log) implements AutoCloseable {
    /** The shell stays: the kernel forgets whose end is to end a process when that process changes its user, as servers do. */
    private static final String ENTER = "mount -t proc proc \"$1/proc\" && mount --rbind /dev \"$1/dev\""
            + " && chroot \"$1\" /bin/sh -c \"$2\"; exit $?";

    private static final int LONGEST_SAID = 400;

    /** Starts one; the script runs with these variables. */
    static Container start(Path root, Path log, Map<String, String> variables, String script) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Files.createDirectories(root.resolve("dev"));
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "unshare",
                        "--mount",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "sh",
                        "-c",
                        ENTER,
                        "sh",
                        root.toString(),
                        script))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(variables);
        return new Container(builder.start(), log);
    }

    /** Runs a script to its end. */
    static ContainerRun run(Path root, Path log, Map<String, String> variables, String script)
            throws IOException, InterruptedException {
        try (Container container = start(root, log, variables, script)) {
            int exit = container.process().waitFor();
            return new ContainerRun(exit, container.said());
        }
    }

    /** Returns the container's output so far. */
    String said() throws IOException {
        return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
    }

    /** The end of what it has said. */
    String lastSaid() throws IOException {
        String said = said().strip();
        return said.substring(Math.max(0, said.length() - LONGEST_SAID));
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly();
        int unused = process.waitFor();
    }
}
