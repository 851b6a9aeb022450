// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FilePath;
import java.io.IOException;
import picocli.CommandLine.Parameters;

/** The arguments that name a directory and its snapshot. */
final class SnapshotArguments {
    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "A directory of the mount.")
    private String directory = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the snapshot.")
    private String name = "";

    FilePath directory(MasterTarget target) throws IOException {
        return target.path(directory);
    }

    String name() {
        return name;
    }
}
