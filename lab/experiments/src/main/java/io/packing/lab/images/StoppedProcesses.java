// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes that are stopped by SIGSTOP until this is closed. A shell lets them go on when its input ends, so that they also do when this
 * process is killed meanwhile: who is stopped cannot end, and mounts whose servers are stopped hang.
 */
final class StoppedProcesses implements AutoCloseable {
    private static final String SCRIPT =
            "trap '' INT TERM HUP; kill -STOP \"$@\"; echo; read -r end; kill -CONT \"$@\"";

    private final Process shell;

    private StoppedProcesses(Process shell) {
        this.shell = shell;
    }

    /** Returns when they are stopped; those that have ended are left out. */
    static StoppedProcesses stop(Stream<ProcessHandle> processes) throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        processes.map(each -> Long.toString(each.pid())).forEach(words::add);
        Process shell = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader said = shell.inputReader(StandardCharsets.US_ASCII);
        if (said.readLine() == null) {
            throw new IOException("sh cannot stop processes");
        }
        return new StoppedProcesses(shell);
    }

    /** Lets them go on, and returns when they may. More than once is as good as once. */
    @Override
    public void close() throws IOException, InterruptedException {
        shell.getOutputStream().close();
        int unused = shell.waitFor();
    }
}
