// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.anvil.CloneExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what clones and snapshots cost. */
@Command(
        name = "clone",
        description = {
            "Copies and clones files of several sizes, clones a small and a large file, and a small and a large tree, at a BDT master over gRPC, and overwrites files "
                    + "with and without a snapshot that sees them (ANViL, Figures 1 and 2).",
            "Prints milliseconds, requests to the store, bytes of the log, and the rates of the writes and their ratio."
        })
final class ClonesCommand implements Callable<Integer> {
    @Option(
            names = "--files",
            defaultValue = "1000000",
            description = "Files of the large tree; the small one has 1,000 (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--clones",
            defaultValue = "100",
            description = "Clones of each kind; the figures are their medians (default: ${DEFAULT-VALUE}).")
    private int clones;

    @Option(
            names = "--writes",
            defaultValue = "16384",
            description = "Files of 8 KB that are overwritten in a turn (default: ${DEFAULT-VALUE}).")
    private int writes;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description =
                    "Turns of writes of both kinds, and of copies, of which three are enough; figures are their medians "
                            + "(default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--copy-sizes",
            split = ",",
            converter = ByteSize.class,
            defaultValue = "4KB,64KB,1MB,16MB,256MB,1GB",
            description = "Sizes of files that are copied, beside clones of them (default: ${DEFAULT-VALUE}).")
    private List<Long> copySizes = List.of();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        CloneExperiment experiment = new CloneExperiment(
                files, clones, writes, rounds, copySizes.stream().sorted().toList(), narrator);
        out.prepare();
        CloneExperiment.Result result = new Experiments(Checkout.find(), narrator).clones(experiment);
        out.write("clone", result, result::draw);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
