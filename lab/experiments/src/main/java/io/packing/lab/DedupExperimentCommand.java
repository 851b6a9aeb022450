// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.packing.DedupExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what sharing equal files saves and costs. */
@Command(
        name = "dedup",
        description = {
            "Writes files of which half are copies, and measures what the store holds: after 'packing dedup' and compaction, "
                    + "and with packing.dedup=file.",
            "Then writes files that are all different, with and without looking for equal ones, in turns."
        })
final class DedupExperimentCommand implements Callable<Integer> {
    private static final long MOST_BYTES = 4L << 20;

    @Option(names = "--files", defaultValue = "32768", description = "Files of each tree (default: ${DEFAULT-VALUE}).")
    private long files;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "8KB",
            description = "Size of a file (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--clients", defaultValue = "2", description = "Clients that write (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--window",
            defaultValue = "2048",
            description = "Files that one client has under way at once (default: ${DEFAULT-VALUE}).")
    private int window;

    @Option(
            names = "--runs",
            defaultValue = "3",
            description = "Turns of the writes of different files (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (size > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "--size: files of more than %d bytes are not shared when they are written".formatted(MOST_BYTES));
        }
        Narrator narrator = new Narrator(report.isJson());
        DedupExperiment experiment = new DedupExperiment(files, (int) size, clients, window, runs, narrator);
        out.prepare();
        DedupExperiment.Result result = new Experiments(Checkout.find(), narrator)
                .dedup(experiment, new Experiments.Servers(S3Process.Limits.NONE, 1, mount.resolve()));
        out.write("dedup", result, result::draw);
        report.print(result, result::print);
        return result.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
