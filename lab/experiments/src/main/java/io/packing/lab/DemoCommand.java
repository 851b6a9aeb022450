package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.PricesArgument;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows packing against Alluxio's own S3 under file system, on this machine. */
@Command(
        name = "demo",
        description = {
            "Starts a real Alluxio, a BDT master and an S3 server on this machine, writes the same small "
                    + "files once through packing and once directly, reads all of them back through the other worker, "
                    + "and compares."
        },
        subcommands = TraceDemoCommand.class)
final class DemoCommand implements Callable<Integer> {
    private static final int WORKERS = 2;

    @Option(names = "--files", defaultValue = "5000", description = "Files on each side (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "8KB",
            description = "Size of each (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--threads", defaultValue = "32", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--write-type",
            defaultValue = "THROUGH",
            description = "Alluxio's write type: THROUGH or CACHE_THROUGH (default: ${DEFAULT-VALUE}).")
    private String writeType = "";

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> options = mount.resolve();
        Checkout checkout = Checkout.find();
        IngestSpec spec = new IngestSpec(
                files, ByteSize.between("--size", size, 1, 64 << 20), threads, files, prices.read(checkout.home()));
        Experiments.Servers servers = new Experiments.Servers(S3Process.Limits.NONE, WORKERS, options);
        CostComparison comparison = new Experiments(checkout, new Narrator(report.isJson()))
                .ingestAlluxio(spec, writeType, servers)
                .comparison();
        report.print(comparison, comparison::print);
        return comparison.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
