// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Home;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.RunOrigin;
import io.packing.lab.images.ContainerdBench;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures pulls and starts by stock containerd. */
@Command(
        name = "containerd",
        description = {
            "Pushes an image of 500 MB to a registry of ours, and pulls and starts it by the machine's containerd, with our snapshotter and"
                    + " with overlayfs, by turns. Each turn has a containerd, a snapshotter and a mount that never saw the image; another machine"
                    + " has started it before, so that its start is known.",
            "Prints seconds of the pull, of a first container that starts at once or three seconds later, and of a second one: medians, the least and"
                    + " the most. It needs root, /dev/fuse, containerd, runc, apt-get and dpkg-deb."
        })
final class ContainerdBenchCommand implements Callable<Integer> {
    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds, in which all systems take turns (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--system",
            paramLabel = "NAME",
            description =
                    "Only this system: packing, packing-later, packing-ctr, overlay or overlay-ctr; may be repeated."
                            + " All five if it is not given.")
    private Set<String> systems = new LinkedHashSet<>();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> options = mount.resolve();
        RunOrigin origin = RunOrigin.of(Home.find().root(), options);
        ContainerdBench bench =
                new ContainerdBench(options, List.copyOf(systems), rounds, origin, new Narrator(report.isJson()));
        ContainerdBench.Result result = bench.run();
        report.print(result, result::print);
        return result.wrong() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
