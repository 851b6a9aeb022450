package io.packing.cli;

import io.packing.cli.experiment.CloneExperiment;
import io.packing.cli.experiment.Experiments;
import io.packing.cli.rig.Home;
import io.packing.cli.rig.Narrator;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what clones and snapshots cost. */
@Command(
        name = "clone",
        description = {
            "Clones a small and a large file, and a small and a large tree, at a BDT master over gRPC, and overwrites files "
                    + "with and without a snapshot that sees them (ANViL, Figures 1 and 2).",
            "Prints milliseconds, requests to the store, bytes of the log, and the ratio of the writes."
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
            description = "Turns of writes of both kinds; the ratio is their median (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        CloneExperiment experiment = new CloneExperiment(files, clones, writes, rounds, narrator);
        CloneExperiment.Result result = new Experiments(Home.find(), narrator).clones(experiment);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
