// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.LongExperiment;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures servers that run for long in containers. */
@Command(
        name = "long",
        description = {
            "Pulls and starts servers in containers and asks them for a while: by our layers, and by overlayfs over a"
                    + " full pull from docker-registry.",
            "Prints answers in a second, seconds from the pull to the first answer, and the ratios of both. It needs"
                    + " root, /dev/fuse, docker-registry, apt-get, dpkg-deb and unshare."
        })
final class LongCommand implements Callable<Integer> {
    @Option(
            names = "--server",
            paramLabel = "NAME",
            description = "Only this server: apache, node, postgres or redis; may be repeated. All if it is not given.")
    private Set<String> servers = new LinkedHashSet<>();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "300",
            description = "For how long each is asked, after a quarter of it that does not count (default:"
                    + " ${DEFAULT-VALUE}).")
    private long seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "1",
            description = "Rounds over empty stores, of which medians are taken (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LongExperiment experiment = new LongExperiment(
                mount.resolve(), servers, Duration.ofSeconds(seconds), rounds, new Narrator(report.isJson()));
        LongExperiment.Result result = experiment.run();
        report.print(result, result::print);
        return result.missing().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
