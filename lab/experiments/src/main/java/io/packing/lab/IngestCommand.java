// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.blob.Extent;
import io.packing.cli.ByteSize;
import io.packing.cli.ExitCodes;
import io.packing.cli.PricesArgument;
import io.packing.cli.Report;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.IngestReport;
import io.packing.lab.compare.RunOrigin;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.figure.RefusedRequests;
import io.packing.lab.figure.RequestRate;
import io.packing.lab.hadoop.HadoopIngest;
import io.packing.lab.load.RunProgress;
import io.packing.lab.packing.AlluxioIngest;
import io.packing.lab.packing.EngineDoorIngest;
import io.packing.lab.packing.IngestResult;
import io.packing.lab.packing.IngestSpec;
import io.packing.lab.packing.TurnPlan;
import io.packing.lab.suite.Experiments;
import io.packing.rig.Checkout;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.util.List;
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
            "Prints requests, dollars, seconds until acknowledged and until durable, refused requests (Figure 1b) and "
                    + "the ratios, with the paper's; --out draws requests over time (Figure 3) and refused ones."
        })
final class IngestCommand implements Callable<Integer> {
    private static final long MOST_WARM_UP = 262_144;

    /** The interface that takes the files. */
    enum Door {
        ENGINE,
        HADOOP,
        ALLUXIO
    }

    @Option(
            names = "--door",
            defaultValue = "engine",
            description =
                    "engine: packing's Java client. hadoop: Hadoop's file system on packing. alluxio: clients of a real "
                            + "Alluxio with a packing mount, with a mount of its own S3 under file system, and with one "
                            + "that does nothing (default: ${DEFAULT-VALUE}).")
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
                    "Files written before the clock starts, because servers are daemons, and then removed (default: twice "
                            + "as many as --files, at most 262,144; at other doors than the engine's as many as --files, at "
                            + "most 65,536; 0: a cold start).")
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

    @Option(
            names = "--runs",
            defaultValue = "3",
            description =
                    "Runs of the packed side, between which direct clients have one each; the median stands for all "
                            + "(default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private DirectArgument direct = new DirectArgument();

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
        Map<String, String> options = mount.resolve();
        Checkout checkout = Checkout.find();
        Experiment experiment = experiment(checkout, options);
        out.prepare();
        // The sources may change while it runs.
        RunOrigin origin = RunOrigin.of(checkout.home().root(), options);
        IngestResult result = experiment.run(new Narrator(report.isJson()));
        IngestReport all = result.report(origin);
        out.write("ingest", all, directory -> {
            new RequestRate(result.packedTimeline(), result.directTimeline()).write(directory);
            RefusedRequests.of(all).write(directory);
        });
        report.print(all, all::print);
        return all.isComplete() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Everything that the words ask for, checked; nothing runs yet. */
    private Experiment experiment(Checkout checkout, Map<String, String> options) throws IOException {
        S3Process.Limits limits = puts.limits();
        int bytes = ByteSize.between("--size", size, 1, Extent.MAX_LENGTH);
        refuse("--write-type", writeType.isPresent(), Door.ENGINE, Door.HADOOP);
        refuse("--window", window.isPresent(), Door.HADOOP, Door.ALLUXIO);
        refuse("--rate", rate.isPresent(), Door.HADOOP, Door.ALLUXIO);
        refuse("--direct", direct.isGiven(), Door.ALLUXIO);
        if (rate.isPresent() && !(rate.get() > 0)) {
            throw new IllegalArgumentException("--rate: a number above 0, not " + rate.get());
        }
        long files = files();
        long written = directFiles.orElse(rate.isPresent() ? Math.min(DIRECT_AT_RATE, files) : files);
        IngestSpec spec = new IngestSpec(files, bytes, clients, written, prices.read(checkout.home()));
        Experiments.Servers servers =
                new Experiments.Servers(limits, workers.orElse(door == Door.ALLUXIO ? 2 : 1), options);
        TurnPlan plan = new TurnPlan(runs, direct.or(door == Door.HADOOP ? DirectKind.S3A : DirectKind.SDK));
        return switch (door) {
            case ENGINE ->
                narrator -> {
                    long warm = warmUp.orElse(2 * Math.min(files, MOST_WARM_UP / 2));
                    return new Experiments(checkout, narrator)
                            .ingestEngine(
                                    new EngineDoorIngest(
                                            spec, plan, window.orElse(64), warm, rate, RunProgress.narrated(narrator)),
                                    servers);
                };
            case HADOOP ->
                narrator -> new Experiments(checkout, narrator)
                        .ingestHadoop(
                                new HadoopIngest(spec, plan, warmUpOfDaemons(), RunProgress.narrated(narrator)),
                                servers);
            case ALLUXIO ->
                narrator -> new Experiments(checkout, narrator)
                        .ingestAlluxio(
                                new AlluxioIngest(
                                        spec,
                                        runs,
                                        Math.toIntExact(warmUpOfDaemons()),
                                        writeType.orElse("THROUGH"),
                                        true,
                                        RunProgress.narrated(narrator)),
                                servers);
        };
    }

    private long warmUpOfDaemons() {
        return warmUp.orElse(Math.min(files(), MOST_WARM_UP / 4));
    }

    private long files() {
        return wantedFiles.orElseGet(() -> rate.map(each ->
                        Math.max(1, (long) Math.min(MOST_AT_RATE, Math.ceil(each * RATE_SECONDS))))
                .orElse(FILES));
    }

    private interface Experiment {
        IngestResult run(Narrator narrator) throws IOException, InterruptedException;
    }

    private void refuse(String option, boolean given, Door... nothing) {
        if (given && List.of(nothing).contains(door)) {
            throw new IllegalArgumentException("%s means nothing with --door %s"
                    .formatted(option, door.name().toLowerCase(Locale.ROOT)));
        }
    }
}
