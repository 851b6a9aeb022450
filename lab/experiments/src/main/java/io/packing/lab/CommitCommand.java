// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteOffset;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.commit.CommitExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares commits of jobs. */
@Command(
        name = "commit",
        description = {
            "Commits a job of many files through Hadoop's file system as one vector, and by Hadoop's own committers.",
            "Prints requests at the BDT master and milliseconds of each job commit, and whether a reader saw a part of "
                    + "the output."
        })
final class CommitCommand implements Callable<Integer> {
    @Option(names = "--files", defaultValue = "10000", description = "Files of a job (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--tasks",
            defaultValue = "1000",
            description = "Tasks that write them (default: ${DEFAULT-VALUE}).")
    private int tasks;

    @Option(
            names = "--size",
            converter = ByteOffset.class,
            defaultValue = "1KB",
            description = "Size of each file (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "Commits by each committer; the figures are their medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--threads",
            defaultValue = "16",
            description = "Tasks that run at once (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        CommitExperiment commit = new CommitExperiment(
                files, tasks, ByteSize.between("--size", size, 0, 4 << 20), rounds, threads, narrator);
        out.prepare();
        CommitExperiment.Result result =
                new Experiments(Checkout.find(), narrator).onDirectory(commit::run, mount.resolve());
        out.write("commit", result, result::draw);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
