// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.blob.FilePath;
import io.packing.fuse.posix.server.PosixServerMain;
import io.packing.fuse.posix.server.ServerArguments;
import io.packing.registry.files.MountFiles;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;

/** The program of a server of a {@link LayerStore}: a {@link PosixServerMain} whose directory is that of the layers of a registry. */
public final class LayerServerMain {
    private LayerServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        ServerArguments arguments = ServerArguments.parse(args);
        FilePath base = arguments.path().parent().orElseThrow();
        PosixServerMain.run(arguments, (mount, options) -> open(mount, options, base));
    }

    private static LayerStore open(PackingFileSystem mount, MountOptions options, FilePath base) {
        // It has no end of its own: it goes with the process.
        OpenRegistry registry = new OpenRegistry(new MountFiles(mount, options), base);
        return new LayerStore(registry.files(), registry.layout(), registry.trees());
    }
}
