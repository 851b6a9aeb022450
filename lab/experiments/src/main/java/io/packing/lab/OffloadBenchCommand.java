// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.images.OffloadBench;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what a client saves that says which files it has. */
@Command(
        name = "offload",
        description = {
            "Pulls eight related images of Debian's packages, one after the other, by a client that says which files it has, and by one"
                    + " that pulls whole layers.",
            "Then clients in processes of their own keep each file of the layers once: by gzipped layers that they decompress and hash, and"
                    + " by layers without the files that they have.",
            "Prints the bytes that either received, and those of gzipped layers; of the clients processor time, utilisation and peak memory."
                    + " It needs Linux, apt-get, dpkg-deb, tar and gzip."
        })
final class OffloadBenchCommand implements Callable<Integer> {
    @Option(
            names = "--threads",
            split = ",",
            defaultValue = "1,2,3,4,5",
            description = "Layers that a client pulls at a time (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads = List.of();

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Clients of each kind; figures are medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        OffloadBench.Result result =
                new OffloadBench(mount.resolve(), threads, rounds, new Narrator(report.isJson())).run();
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
