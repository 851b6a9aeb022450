// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.PaperSizes;
import io.packing.lab.compare.RunOrigin;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.figure.SizesReport;
import io.packing.lab.figure.Throughput;
import io.packing.lab.packing.SizesExperiment;
import io.packing.lab.suite.Experiments;
import io.packing.options.PriceTable;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The paper's experiment on object sizes (§2.2, Figure 2). */
@Command(
        name = "sizes",
        description = {
            "Writes the same number of bytes as objects of several sizes (section 2.2, Figure 2), and the "
                    + "sizes up to 4 MB through packing, too.",
            "Prints MB/s and refused requests of each client, and the paper's figures."
        })
final class SizesCommand implements Callable<Integer> {
    /** Sizes up to this one stay as they are. */
    private static final long SMALL = 64 << 10;

    @Option(
            names = "--sizes",
            split = ",",
            converter = ByteSize.class,
            defaultValue = "4KB,4MB,40MB,400MB",
            description = "Sizes of the objects (default: ${DEFAULT-VALUE}).")
    private List<Long> sizes = List.of();

    @Option(
            names = "--bytes",
            converter = ByteSize.class,
            defaultValue = "12.5GB",
            description = "Written of each size (default: ${DEFAULT-VALUE}).")
    private long bytes;

    @Option(
            names = "--scale",
            defaultValue = "10",
            description = "Divides --bytes, and the sizes above 64 KB (default: ${DEFAULT-VALUE}).")
    private int scale;

    @Option(
            names = "--most-files",
            paramLabel = "FILES",
            defaultValue = "10000",
            description = "Fewer bytes are written of a size that would need more files (default: ${DEFAULT-VALUE}).")
    private long mostFiles;

    @Option(names = "--clients", defaultValue = "32", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Mixin
    private DirectArgument direct = new DirectArgument();

    @Mixin
    private ThrottleOptions puts = new ThrottleOptions();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (scale < 1) {
            throw new IllegalArgumentException("--scale must be positive");
        }
        Narrator narrator = new Narrator(report.isJson());
        List<Long> scaled = sizes.stream()
                .map(size -> size > SMALL ? Math.max(SMALL, size / scale) : size)
                .sorted()
                .toList();
        SizesExperiment experiment =
                new SizesExperiment(scaled, bytes / scale, mostFiles, clients, direct.or(DirectKind.SDK), narrator);
        Experiments.Servers servers = new Experiments.Servers(puts.limits(), 1, mount.resolve());
        Checkout checkout = Checkout.find();
        PriceTable prices = PriceTable.read(checkout.home().prices("s3-standard"));
        out.prepare();
        // The sources may change while it runs.
        RunOrigin origin = RunOrigin.of(checkout.home().root(), servers.mountOptions());
        Throughput result = new Experiments(checkout, narrator).sizes(experiment, prices, servers);
        SizesReport sizesReport = new SizesReport(result.points(), PaperSizes.FIGURE_2, origin);
        out.write("sizes", sizesReport, result::write);
        report.print(sizesReport, sizesReport::print);
        return ExitCodes.OK;
    }
}
