// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A BDT master, a process, over a local directory, and commands, each a process, that are given to it. */
public record MasterRig(String address) {
    /** Starts the master; the workspace stops it. */
    public static MasterRig start(Workspace workspace, Path objects) throws IOException, InterruptedException {
        return new MasterRig(
                Servers.startBdtMaster(workspace, "file://" + objects).address());
    }

    /** Starts a command of {@code bin/packing}. */
    public JavaProcess command(Workspace workspace, String command, int megabytes, List<String> words)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(words);
        return Servers.startCommand(workspace, command + "-" + System.nanoTime(), megabytes, all, Map.of());
    }
}
