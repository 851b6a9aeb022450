// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.blob.Extent;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.PricesArgument;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.CostComparison;
import io.packing.lab.figure.RequestRate;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.IngestResult;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The paper's ingest experiment (§8, Table 1). */
@Command(
        name = "ingest",
        description = {
            "Writes small files through packing and as one object each, to the same S3 server (section 8, "
                    + "Table 1).",
            "Prints requests, dollars, seconds until durable, and the ratios; --out draws requests over "
                    + "time (Figure 3)."
        })
final class IngestCommand implements Callable<Integer> {
    private static final long MOST_WARM_UP = 262_144;

    /** The interface that takes the files. */
    enum Door {
        ENGINE,
        ALLUXIO
    }

    @Option(
            names = "--door",
            defaultValue = "engine",
            description =
                    "engine: clients of a packing worker, and of the S3 server. alluxio: clients of a real Alluxio "
                            + "with a packing mount, and with a mount of its own S3 under file system (default: "
                            + "${DEFAULT-VALUE}).")
    private Door door = Door.ENGINE;

    private static final long FILES = 131_072;
    /** An ingest at a rate models a lasting service: it takes half an hour, and 4 GB at most. */
    private static final double RATE_SECONDS = 1_800;

    private static final long MOST_AT_RATE = 4 * FILES;
    /** A rate says nothing about how fast a store takes single objects. */
    private static final long DIRECT_AT_RATE = 500;

    @Option(
            names = "--files",
            description =
                    "Files (default: 131072, which are 1 GB of 8 KB; with --rate those of half an hour, at most 524288).")
    private Optional<Long> wantedFiles = Optional.empty();

    @Option(
            names = "--size",
            converter = ByteSize.class,
            defaultValue = "8KB",
            description = "Size of each (default: ${DEFAULT-VALUE}).")
    private long size;

    @Option(names = "--clients", defaultValue = "32", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--window",
            description = "Files a client has under way at once on the packed side of the engine's door (default: 64).")
    private Optional<Integer> window = Optional.empty();

    @Option(
            names = "--warm-up",
            paramLabel = "FILES",
            description =
                    "Files written through the engine's door before the clock starts, because a worker is a daemon, "
                            + "in two rounds, and then removed (default: twice as many as --files, at most 262,144; 0: a cold "
                            + "start).")
    private Optional<Long> warmUp = Optional.empty();

    @Option(
            names = "--rate",
            paramLabel = "FILES_PER_S",
            description =
                    "Files that all clients of the engine's door together write a second (default: as many as are taken).")
    private Optional<Double> rate = Optional.empty();

    @Option(
            names = "--write-type",
            paramLabel = "TYPE",
            description = "At Alluxio's door: THROUGH or CACHE_THROUGH (default: THROUGH).")
    private Optional<String> writeType = Optional.empty();

    @Option(
            names = "--direct-files",
            description =
                    "Files really written on the direct side; the rest is extrapolated (default: all, with --rate 500).")
    private Optional<Long> directFiles = Optional.empty();

    @Mixin
    private ThrottleOptions puts = new ThrottleOptions();

    @Option(
            names = "--workers",
            description = "Packing workers, or Alluxio workers (default: 1, or 2 at Alluxio's door).")
    private Optional<Integer> workers = Optional.empty();

    @Mixin
    private PricesArgument prices = new PricesArgument();

    @Mixin
    private MountArguments mount = new MountArguments();

    @Mixin
    private OutArgument out = new OutArgument();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Experiment experiment = experiment();
        out.prepare();
        IngestResult result = experiment.run(new Narrator(report.isJson()));
        CostComparison comparison = result.comparison();
        out.write("ingest", comparison, new RequestRate(result.packed(), result.direct())::write);
        report.print(comparison, comparison::print);
        return comparison.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Everything that the words ask for, checked; nothing runs yet. */
    private Experiment experiment() throws IOException {
        S3Process.Limits limits = puts.limits();
        Map<String, String> options = mount.resolve();
        int bytes = ByteSize.between("--size", size, 1, Extent.MAX_LENGTH);
        refuse("--write-type", writeType, Door.ENGINE);
        refuse("--window", window, Door.ALLUXIO);
        refuse("--warm-up", warmUp, Door.ALLUXIO);
        refuse("--rate", rate, Door.ALLUXIO);
        if (rate.isPresent() && !(rate.get() > 0)) {
            throw new IllegalArgumentException("--rate: a number above 0, not " + rate.get());
        }
        long files = files();
        long direct = directFiles.orElse(rate.isPresent() ? Math.min(DIRECT_AT_RATE, files) : files);
        Checkout checkout = Checkout.find();
        IngestSpec spec = new IngestSpec(files, bytes, clients, direct, prices.read(checkout.home()));
        if (door == Door.ENGINE) {
            Experiments.Servers servers = new Experiments.Servers(limits, workers.orElse(1), options);
            return narrator -> new Experiments(checkout, narrator)
                    .ingestEngine(
                            spec,
                            window.orElse(64),
                            warmUp.orElse(2 * Math.min(files, MOST_WARM_UP / 2)),
                            rate,
                            servers);
        }
        Experiments.Servers servers = new Experiments.Servers(limits, workers.orElse(2), options);
        return narrator -> new Experiments(checkout, narrator)
                .ingestAlluxio(spec, 0, writeType.orElse("THROUGH"), servers, RunProgress.narrated(narrator));
    }

    private long files() {
        return wantedFiles.orElseGet(() -> rate.map(each ->
                        Math.max(1, (long) Math.min(MOST_AT_RATE, Math.ceil(each * RATE_SECONDS))))
                .orElse(FILES));
    }

    private interface Experiment {
        IngestResult run(Narrator narrator) throws IOException, InterruptedException;
    }

    private void refuse(String option, Optional<?> value, Door nothing) {
        if (door == nothing && value.isPresent()) {
            throw new IllegalArgumentException("%s means nothing with --door %s"
                    .formatted(option, door.name().toLowerCase(Locale.ROOT)));
        }
    }
}
