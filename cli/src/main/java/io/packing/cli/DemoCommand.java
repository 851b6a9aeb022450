package io.packing.cli;

import io.packing.cli.demo.Demo;
import io.packing.cli.demo.Prices;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows packing against Alluxio's own S3 under file system, on this machine. */
@Command(
        name = "demo",
        description = {
            "Starts a real Alluxio, a BDT master and an S3 server on this machine, writes the same small files once",
            "through packing and once directly, reads all of them back through the other worker, and compares."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--files", defaultValue = "5000", description = "Files on each side (default: ${DEFAULT-VALUE}).")
    private int files;

    @Option(names = "--size", defaultValue = "8KB", description = "Size of each (default: ${DEFAULT-VALUE}).")
    private String size = "";

    @Option(names = "--threads", defaultValue = "32", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--write-type",
            defaultValue = "THROUGH",
            description = "Alluxio's write type: THROUGH or CACHE_THROUGH (default: ${DEFAULT-VALUE}).")
    private String writeType = "";

    @Option(
            names = "--policy",
            defaultValue = "fifo",
            description = "Same as --option packing.policy=… (default: ${DEFAULT-VALUE}).")
    private String policy = "";

    @Option(
            names = "--durability",
            defaultValue = "synced",
            description = "Same as --option packing.durability=… (default: ${DEFAULT-VALUE}).")
    private String durability = "";

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description = "A further option of the packing mount, such as packing.policy=directory.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Option(
            names = "--prices",
            defaultValue = "s3-standard",
            description = "A price table of conf/prices (default: ${DEFAULT-VALUE}).")
    private String prices = "";

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var home = Home.find();
        var bytes = io.packing.options.Parsers.bytes(size);
        if (files <= 0 || threads <= 0 || bytes <= 0 || bytes > 64 << 20) {
            throw new IllegalArgumentException(
                    "--files, --threads and --size must be positive, and --size at most 64MB");
        }
        options.putIfAbsent("packing.policy", policy);
        options.putIfAbsent("packing.durability", durability);
        if (!List.of("THROUGH", "CACHE_THROUGH").contains(writeType)) {
            throw new IllegalArgumentException("--write-type: THROUGH or CACHE_THROUGH, not '%s'".formatted(writeType));
        }
        var comparison = new Demo(home, Prices.read(home.prices(prices)), options, new Demo.Narrator(report.isJson()))
                .run(files, (int) bytes, threads, writeType);
        report.print(comparison, comparison::print);
        return comparison.packed().isComplete() && comparison.direct().isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
