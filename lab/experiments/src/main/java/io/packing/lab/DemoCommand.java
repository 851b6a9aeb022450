// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.PricesArgument;
import io.packing.cli.Report;
import io.packing.cli.TimeSpan;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.compare.DoorComparisons;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.hadoop.HadoopIngest;
import io.packing.lab.packing.AlluxioIngest;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.packing.TurnPlan;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows packing beside S3A and beside Alluxio's own S3 under file system, on this machine. */
@Command(
        name = "demo",
        description = {
            "Writes the same small files through Hadoop on packing and on S3A, then through a real Alluxio on packing "
                    + "and on its own S3, to an S3 server on this machine, and reads all of them back.",
            "The server is as slow as S3 and refuses writes above a limit, as S3 does. Servers are daemons: before the "
                    + "clock starts, packing writes --warm-up files that do not count, and each other side writes 500."
        },
        subcommands = TraceDemoCommand.class)
final class DemoCommand implements Callable<Integer> {
    private static final int ALLUXIO_WORKERS = 2;
    private static final int DOORS = 2;
    private static final int SIDES = 2;
    /** One line each: the writer of results takes the end of a line in a text for a part of a name, and escapes it. */
    private static final List<String> NEXT = List.of(
            "Try next:",
            "  docs/start.md                                       your own files, in ten minutes",
            "  bin/packing estimate --files 100000000 --size 8KB   what your files would cost on S3, both ways",
            "  bin/lab experiment ingest --put-limit 300           1 GB of such files, at packing's own door",
            "  docs/performance.md                                 every figure, with the command that measures it");

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
            names = "--warm-up",
            paramLabel = "FILES",
            defaultValue = "8000",
            description = "Files that packing writes before the clock starts (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--put-limit",
            defaultValue = "300",
            description = "Writes per second above which the server answers 503; 0: none (default: ${DEFAULT-VALUE}).")
    private int putLimit;

    @Option(
            names = "--put-latency",
            converter = TimeSpan.class,
            defaultValue = "30ms",
            description = "Added to every PUT (default: ${DEFAULT-VALUE}).")
    private Duration putLatency = Duration.ZERO;

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
        S3Process.Limits limits = new S3Process.Limits(putLimit, putLatency);
        IngestSpec spec = new IngestSpec(
                files, ByteSize.between("--size", size, 1, 64 << 20), threads, files, prices.read(checkout.home()));
        Narrator narrator = new Narrator(report.isJson());
        Experiments experiments = new Experiments(checkout, narrator);
        long steps = DOORS * (SIDES * 2L * files + warmUp + IngestSpec.directWarmUp(warmUp));
        DoorComparisons doors;
        try (DemoBar bar = new DemoBar(narrator, steps)) {
            HadoopIngest atHadoop = new HadoopIngest(spec, TurnPlan.once(DirectKind.S3A), warmUp, bar);
            AlluxioIngest atAlluxio = new AlluxioIngest(spec, 1, warmUp, writeType, false, bar);
            CostComparison hadoop = experiments
                    .ingestHadoop(atHadoop, new Experiments.Servers(limits, 1, options))
                    .comparison();
            CostComparison alluxio = experiments
                    .ingestAlluxio(atAlluxio, new Experiments.Servers(limits, ALLUXIO_WORKERS, options))
                    .comparison();
            doors = new DoorComparisons(alluxio, hadoop);
        }
        report.print(doors, out -> print(doors, out));
        return doors.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private void print(DoorComparisons doors, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%,d files of %,d bytes by %d threads, written until they are durable in the store. The store adds %d ms to a PUT%s.%n%n",
                files,
                size,
                threads,
                putLatency.toMillis(),
                putLimit == 0 ? "" : " and refuses more than " + putLimit + " a second");
        doors.print(out);
        out.println("Dollars are S3's prices for these requests; reading back is not in them.");
        out.println();
        printNext(out);
    }

    /** Prints what a new user may try after the demonstration. */
    static void printNext(PrintWriter out) {
        NEXT.forEach(out::println);
    }
}
