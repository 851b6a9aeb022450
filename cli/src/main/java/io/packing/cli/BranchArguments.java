// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that name a branch, and the part of it that is meant. */
final class BranchArguments {
    @Parameters(paramLabel = "BRANCH", description = "A branch, such as /tree.branches/1/1.")
    private String branch = "";

    @Option(
            names = "--origin",
            paramLabel = "PATH",
            description = "The path that the branched directory has now, if it was renamed.")
    private Optional<String> origin = Optional.empty();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "Only this path and those below it, relative to BRANCH.")
    private Optional<String> below = Optional.empty();

    FilePath branch(MasterTarget target) throws IOException {
        return target.path(branch);
    }

    Optional<FilePath> origin() {
        return origin.map(FilePath::normalise);
    }

    FilePath below() {
        return below.map(FilePath::normalise).orElse(FilePath.ROOT);
    }
}
