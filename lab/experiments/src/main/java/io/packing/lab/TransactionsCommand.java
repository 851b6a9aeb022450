// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.blob.Extent;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.anvil.TransactionsExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares ways of writing atomically. */
@Command(
        name = "transactions",
        description = {
            "Writes chunks into a large file atomically: by a scratch file and one vector that moves its bytes, and by a "
                    + "journal, for which every byte is written twice (ANViL, section 5.3).",
            "Prints MB/s of both, and their ratio."
        })
final class TransactionsCommand implements Callable<Integer> {
    @Option(
            names = "--chunks",
            split = ",",
            converter = ByteSize.class,
            defaultValue = "4KB,16KB,64KB,256KB,512KB,1MB,4MB",
            description = "Sizes of the writes (default: ${DEFAULT-VALUE}).")
    private List<Long> chunks = List.of();

    @Option(
            names = "--file-size",
            converter = ByteSize.class,
            defaultValue = "256MB",
            description = "Size of the file that is written into (default: ${DEFAULT-VALUE}).")
    private long fileSize;

    @Option(
            names = "--writes",
            defaultValue = "200",
            description =
                    "Writes of one turn at most; fewer where no more fit into the file (default: ${DEFAULT-VALUE}).")
    private int writes;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "Turns of each way; the figures are their medians (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        List<Integer> sizes = chunks.stream()
                .map(chunk -> ByteSize.between("--chunks", chunk, 1, Extent.MAX_LENGTH))
                .toList();
        TransactionsExperiment transactions = new TransactionsExperiment(sizes, fileSize, writes, rounds, narrator);
        out.prepare();
        TransactionsExperiment.Result result =
                new Experiments(Checkout.find(), narrator).onDirectory(transactions::run, mount.resolve());
        out.write("transactions", result, result::draw);
        report.print(result, result::print);
        return ExitCodes.OK;
    }
}
