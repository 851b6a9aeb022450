// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.hbase.load.YcsbLoad;
import io.packing.lab.packing.HBaseExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares HBase on a packing mount with HBase on HDFS. */
@Command(
        name = "hbase",
        description = {
            "Runs HBase with its root directory on a packing mount, and HBase on HDFS, under the load of Facebook Messages by YCSB: "
                    + "60 percent gets, 34 puts, 6 deletes.",
            "Prints the operations a second of both."
        })
final class HBaseCommand implements Callable<Integer> {
    @Option(names = "--records", defaultValue = "4000", description = "Rows (default: ${DEFAULT-VALUE}).")
    private int records;

    @Option(
            names = "--operations",
            defaultValue = "60000",
            description = "Gets, puts and deletes of a turn (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(
            names = "--warm-up",
            paramLabel = "OPERATIONS",
            defaultValue = "20000",
            description = "Operations before those that are timed (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--clients", defaultValue = "8", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(names = "--rounds", defaultValue = "3", description = "Turns of each side (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--acknowledged",
            paramLabel = "WHERE",
            defaultValue = "shipped",
            description =
                    "Where an edit is when it is acknowledged: in the memory or on the disk of both sides (memory, disk), or in the memory "
                            + "of HDFS and on the disk of the mount, as both ship (shipped) (default: ${DEFAULT-VALUE}).")
    private HBaseExperiment.Acknowledged acknowledged = HBaseExperiment.Acknowledged.SHIPPED;

    @Option(names = "--seed", defaultValue = "42", description = "The load depends on it (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Narrator narrator = new Narrator(report.isJson());
        YcsbLoad load = new YcsbLoad(records, operations, clients, seed);
        HBaseExperiment experiment = new HBaseExperiment(load, warmUp, rounds, acknowledged, narrator);
        Checkout checkout = Checkout.find();
        HBaseExperiment.Result result = new Experiments(checkout, narrator).hbase(experiment);
        report.print(result, result::print);
        return result.isClean() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
