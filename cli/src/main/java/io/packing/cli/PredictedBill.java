// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.cli.measure.TraceMeasurement;
import io.packing.options.PriceTable;
import io.packing.sim.RunResult;
import io.packing.sim.bill.BillPrediction;
import io.packing.sim.bill.EstimateFile;
import io.packing.sim.bill.NameChanges;
import io.packing.sim.bill.OptionSearch;
import io.packing.sim.pack.BlobLayout;
import io.packing.sim.pack.Estimate;
import io.packing.sim.pack.FileWorkload;
import io.packing.sim.pack.IngestCost;
import io.packing.sim.pack.IngestModel;
import io.packing.sim.pack.PackSimulation;
import io.packing.sim.pack.PackingSetup;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for the prediction of a bill: a saved estimate, a workload for a new one, or a trace for a simulation. */
final class PredictedBill {
    /** The default of {@code packing.journal.interval}. */
    private static final Duration JOURNAL_INTERVAL = Duration.ofMinutes(1);

    @Option(
            names = "--estimate",
            paramLabel = "FILE",
            description = "The prediction: what packing estimate --json printed, with the prices of that time.")
    private Optional<Path> estimate = Optional.empty();

    @Option(names = "--files", description = "The prediction: an estimate for so many files, with --size.")
    private Optional<Long> files = Optional.empty();

    @Option(names = "--size", converter = ByteSize.class, description = "Size of each of the --files.")
    private Optional<Long> size = Optional.empty();

    @Option(names = "--rate", description = "Files per second that arrive (default: as many as are taken).")
    private Optional<Double> rate = Optional.empty();

    @Option(names = "--workers", defaultValue = "1", description = "Packing workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "The prediction: a simulation of this trace, a file or a directory of *.htfs files. May be repeated.")
    private List<Path> traces = List.of();

    @Option(
            names = "--unpacked",
            description = "Each file is an object of its own: the prediction is of the direct way.")
    private boolean direct;

    @Option(
            names = "--blob-max-bytes",
            converter = ByteSize.class,
            description = "The mount's packing.blob.max.bytes (default: the recommended one).")
    private Optional<Long> blobMaxBytes = Optional.empty();

    @Option(
            names = "--seal-after",
            converter = TimeSpan.class,
            description = "The mount's packing.seal.after (default: the recommended one).")
    private Optional<Duration> sealAfter = Optional.empty();

    /** Parameters of the simulated stack that were measured. */
    private final Map<String, Object> measured = new LinkedHashMap<>();

    private double speed = 1;
    private Optional<Map<String, Long>> prepared = Optional.empty();

    boolean isTrace() {
        return !traces.isEmpty();
    }

    boolean isDirect() {
        return direct;
    }

    /** Returns the prediction; empty: the options name none. */
    Optional<BillPrediction> read(PriceTable prices) throws IOException {
        int sources = (estimate.isPresent() ? 1 : 0) + (files.isPresent() ? 1 : 0) + (isTrace() ? 1 : 0);
        if (sources > 1) {
            throw new IllegalArgumentException("--estimate, --files, --trace: one of them makes the prediction");
        }
        if (files.isPresent() != size.isPresent()) {
            throw new IllegalArgumentException("--files and --size: give both, or none");
        }
        if (estimate.isPresent()) {
            return Optional.of(EstimateFile.read(estimate.get(), direct ? "direct" : "recommended"));
        }
        if (files.isPresent()) {
            return Optional.of(estimated(prices, workload(), direct));
        }
        return Optional.empty();
    }

    /** Returns the estimate of the packed way, whatever way is audited; empty: the options name none. */
    Optional<BillPrediction> packed(PriceTable prices) throws IOException {
        if (estimate.isPresent()) {
            return Optional.of(EstimateFile.read(estimate.get(), "recommended"));
        }
        return files.isPresent() ? Optional.of(estimated(prices, workload(), false)) : Optional.empty();
    }

    private FileWorkload workload() {
        return new FileWorkload(files.orElseThrow(), size.orElseThrow(), rate.orElse(Double.POSITIVE_INFINITY));
    }

    private BillPrediction estimated(PriceTable prices, FileWorkload workload, boolean direct) throws IOException {
        PackingSetup standard = PackingSetup.standard();
        PackingSetup setup = standard.with(workers, standard.workerFilesPerSecond(), standard.workerBytesPerSecond());
        BlobLayout layout = BlobLayout.measure(workload.sizeBytes());
        Estimate.Row best = Estimate.of(workload, prices, setup, layout).recommended();
        IngestModel model = new IngestModel(prices);
        IngestCost cost = direct
                ? model.direct(workload)
                : model.packed(
                        workload,
                        setup.sealing(blobMaxBytes.orElse(best.blobMaxBytes()), sealAfter.orElse(best.sealAfter())),
                        layout);
        return new BillPrediction(
                direct ? "estimate, direct" : "estimate, packed",
                cost.puts(),
                0,
                0,
                0,
                cost.storedBytes(),
                cost.requestDollars());
    }

    /** Searches the options for the trace. */
    OptionSearch search(PriceTable prices) throws IOException {
        return OptionSearch.of(stack(prices), this::play);
    }

    /** Simulates the way and the options that were given, or else the recommended ones. */
    OptionSearch.Choice simulated(PriceTable prices, OptionSearch.Choice recommended) throws IOException {
        if (direct) {
            return OptionSearch.direct(stack(prices), this::play);
        }
        return OptionSearch.packed(
                stack(prices),
                this::play,
                blobMaxBytes.orElse(recommended.blobMaxBytes()),
                sealAfter.orElse(recommended.sealAfter()));
    }

    /** Makes simulations use measured parameters of the stack, and play the trace faster. */
    void simulateLike(Map<String, Object> parameters, double pace) {
        measured.putAll(parameters);
        speed = pace;
    }

    /** Opens the trace. */
    TraceSource open() throws IOException {
        return TraceFiles.open(traces);
    }

    /** Returns the files that the trace reads and did not write, with their lengths. */
    Map<String, Long> prepared() throws IOException {
        if (prepared.isEmpty()) {
            prepared = Optional.of(TraceMeasurement.prepared(this::open));
        }
        return prepared.get();
    }

    /** Returns the number of journals that a mount uploads while it plays the trace. */
    long journals() throws IOException {
        try (TraceSource trace = open()) {
            return NameChanges.intervals(trace, JOURNAL_INTERVAL.toNanos() * speed);
        }
    }

    void checkOneWorker() {
        if (workers != 1 || direct) {
            throw new IllegalArgumentException(
                    "--measure: plays on one worker that packs; leave --workers and --unpacked out");
        }
    }

    private RunResult play(PackSimulation simulation) throws IOException {
        PackSimulation.TracePlay way = new PackSimulation.TracePlay(speed, prepared());
        try (TraceFiles files = TraceFiles.open(traces)) {
            return simulation.run(List.of(files), way, played -> {});
        }
    }

    /** Returns the simulated stack: one store at these prices, and a mount's defaults where those of the paper differ. */
    private Config stack(PriceTable prices) {
        Map<String, Object> table = new LinkedHashMap<>();
        prices.values().forEach((key, value) -> table.put("store.prices." + key, value));
        return ConfigFactory.parseMap(measured)
                .withFallback(ConfigFactory.parseMap(
                        Map.of("workers.count", workers, "packing.push-ahead", "1m", "packing.extent", "4 MiB")))
                .withFallback(ConfigFactory.parseMap(table));
    }
}
