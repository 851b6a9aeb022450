// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.DoorExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what packing costs at Alluxio's door. */
@Command(
        name = "door",
        description = {
            "Writes small files THROUGH a real Alluxio into a packing mount, and into an under file system "
                    + "that does nothing, in turn.",
            "Prints files/s of both, their ratio, and where the processor time goes."
        })
final class DoorCommand implements Callable<Integer> {
    @Option(names = "--files", defaultValue = "16000", description = "Files in each run (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "8KB",
            description = "Size of each (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--clients",
            defaultValue = "256",
            description = "Concurrent clients; files that are closed at one worker at the same time share their costs "
                    + "(default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--workers",
            defaultValue = "2",
            description = "Alluxio workers, which share this machine (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--warm-up",
            paramLabel = "FILES",
            defaultValue = "300000",
            description =
                    "Files written on each side before the first run: the compilers of the servers are busy for so "
                            + "long (default: ${DEFAULT-VALUE}, which takes eight minutes).")
    private int warmUp;

    @Option(
            names = "--runs",
            defaultValue = "7",
            description = "Runs on each side; the figures are their medians (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        DoorExperiment door = new DoorExperiment(
                files, ByteSize.between("--size", size, 1, 64 << 20), clients, warmUp, runs, narrator);
        Experiments.Servers servers = new Experiments.Servers(S3Process.Limits.NONE, workers, mount.resolve());
        Checkout checkout = Checkout.find();
        DoorExperiment.Result result = new Experiments(checkout, narrator).door(door, servers);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
