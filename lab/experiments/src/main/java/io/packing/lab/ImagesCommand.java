// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.ImagesExperiment;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what a registry of container images stores and how fast it is. */
@Command(
        name = "images",
        description = {
            "Builds eight images of Debian packages, and pushes and pulls them through a registry over a packing mount, and "
                    + "through docker-registry with its S3 driver.",
            "Prints stored bytes, seconds and PUT requests of each. It needs docker-registry, apt-get and dpkg-deb."
        })
final class ImagesCommand implements Callable<Integer> {
    @Mixin
    private MountArguments mount = new MountArguments();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Pulls of all images through each registry, each by a new process, of which the median is told (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--node-modes",
            split = ",",
            paramLabel = "MODE",
            defaultValue = "b0,b1,s",
            description =
                    "Modes of nodes with stores of their own: of b0, b1, b2, b3, s0 and s (default: ${DEFAULT-VALUE}).")
    private List<String> nodeModes = List.of();

    @Option(names = "--no-gzip", description = "Leaves out the same images with gzipped layers.")
    private boolean noGzip;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ImagesExperiment.Parts parts = new ImagesExperiment.Parts(nodeModes, !noGzip);
        ImagesExperiment experiment = new ImagesExperiment(mount.resolve(), runs, parts, new Narrator(report.isJson()));
        ImagesExperiment.Result result = experiment.run();
        report.print(result, result::print);
        return result.wrongDigests() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
