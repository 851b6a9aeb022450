// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.suite.Experiments;
import io.packing.lab.totalcow.SharedRead;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures what reading clones of a file costs, beside reading one file once. */
@Command(
        name = "shared-read",
        description = {
            "Reads clones of a file at once, by a client each at two doors of one process, from cold caches.",
            "Prints bytes fetched from the store, bytes held in memory and seconds, as multiples of one reading of one "
                    + "file; the same for copies, for clients with a cache each, and for the disk after a restart."
        })
final class SharedReadCommand implements Callable<Integer> {
    /** All copies have to fit in the memory of one process. */
    private static final long MOST_BYTES = 16L << 30;

    @Option(names = "--clones", defaultValue = "8", description = "Clones, and clients (default: ${DEFAULT-VALUE}).")
    private int clones;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "256MB",
            description = "Size of the file (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(
            names = "--runs",
            defaultValue = "3",
            description = "Runs of each way of reading; seconds are their medians (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        SharedRead read = new SharedRead(clones, size, runs, narrator);
        if (size > MOST_BYTES / clones) {
            throw new IllegalArgumentException(
                    "--size: %d files of %d bytes are more than %d, which one process holds in memory"
                            .formatted(clones, size, MOST_BYTES));
        }
        out.prepare();
        SharedRead.Result result = new Experiments(Checkout.find(), narrator)
                .sharedRead(read, new Experiments.Servers(S3Process.Limits.NONE, 1, mount.resolve()));
        out.write("shared-read", result, result::draw);
        report.print(result, result::print);
        return result.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
