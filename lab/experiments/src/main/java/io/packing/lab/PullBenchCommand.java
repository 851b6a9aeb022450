// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.PullBench;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast a registry gives layers. */
@Command(
        name = "pull",
        description = {
            "Pulls layers from registries over a packing mount, and from docker-registry with its S3 driver and on local files, in rounds"
                    + " in which all of them come in turn.",
            "Prints MB/s, processor seconds and requests to the store of each way, and ratios within the rounds. It needs docker-registry"
                    + " and tar."
        })
final class PullBenchCommand implements Callable<Integer> {
    @Mixin
    private MountArguments mount = new MountArguments();

    @Option(
            names = "--layers",
            paramLabel = "N",
            defaultValue = "5",
            description = "Layers of each way (default: ${DEFAULT-VALUE}).")
    private int layers;

    @Option(
            names = "--layer-megabytes",
            paramLabel = "N",
            defaultValue = "32",
            description = "Megabytes of a layer, about (default: ${DEFAULT-VALUE}).")
    private int megabytes;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "7",
            description = "Rounds that are measured (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "200",
            description =
                    "Pulls of all layers of each way before that, while methods are compiled (default: ${DEFAULT-VALUE}).")
    private int warmUps;

    @Option(
            names = "--store-latency",
            paramLabel = "DURATION",
            converter = Latency.class,
            defaultValue = "0ms",
            description =
                    "How much longer each request to the stores takes, as to one that is not on this machine (default: ${DEFAULT-VALUE}).")
    private Duration latency = Duration.ZERO;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PullBench.Spec spec =
                new PullBench.Spec(layers, megabytes, rounds, warmUps, Math.toIntExact(latency.toMillis()));
        PullBench.Result result = new PullBench(spec, mount.resolve(), new Narrator(report.isJson())).run();
        report.print(result, result::print);
        return result.wrongDigests() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
