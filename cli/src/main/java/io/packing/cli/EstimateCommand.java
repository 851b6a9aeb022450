// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Home;
import io.packing.options.PriceTable;
import io.packing.sim.pack.BlobLayout;
import io.packing.sim.pack.Estimate;
import io.packing.sim.pack.FileWorkload;
import io.packing.sim.pack.IngestCost;
import io.packing.sim.pack.PackingSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that estimates the cost of an ingest. */
@Command(
        name = "estimate",
        description = {
            "Estimates the first month's bill and the time of an ingest: one object per file, and packed with "
                    + "several sizes and ages of blobs; says which to choose.",
            "Asks no server. Computed in closed form for a constant rate: exact to one blob per worker and "
                    + "one backup."
        })
final class EstimateCommand implements Callable<Integer> {
    private static final String METHOD = "closed form for a constant rate; blob layout measured with the real code";
    private static final String ERROR = "one blob per worker and one backup; bursts add at most one blob each";

    @Option(names = "--files", required = true, description = "Files that are written.")
    private long files;

    @Option(names = "--size", converter = ByteSize.class, required = true, description = "Size of each.")
    private long size;

    @Option(names = "--rate", description = "Files per second that arrive (default: as many as are taken).")
    private Optional<Double> rate = Optional.empty();

    @Option(
            names = "--prices",
            defaultValue = "s3-standard",
            description = "A price table of conf/prices (default: ${DEFAULT-VALUE}).")
    private String store = "";

    @Option(names = "--put-limit", description = "PUTs per second that the store admits (default: the table's).")
    private Optional<Double> putLimit = Optional.empty();

    @Option(names = "--workers", defaultValue = "1", description = "Packing workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--worker-rate",
            description = "Files per second that one worker takes (default: the measured rate of two cores).")
    private Optional<Double> workerRate = Optional.empty();

    @Option(
            names = "--worker-bandwidth",
            converter = ByteSize.class,
            description = "Bytes per second that one worker pushes (default: 125 MB).")
    private Optional<Long> workerBandwidth = Optional.empty();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException {
        aboveZero("--files", (double) files);
        aboveZero("--workers", workers);
        rate.ifPresent(value -> aboveZero("--rate", value));
        putLimit.ifPresent(value -> aboveZero("--put-limit", value));
        workerRate.ifPresent(value -> aboveZero("--worker-rate", value));
        PriceTable prices = PriceTable.read(Home.find().prices(store));
        if (putLimit.isPresent()) {
            prices = prices.withPutsPerSecond(putLimit.get());
        }
        PackingSetup standard = PackingSetup.standard();
        PackingSetup setup = standard.with(
                workers,
                workerRate.orElse(standard.workerFilesPerSecond()),
                workerBandwidth.map(Long::doubleValue).orElse(standard.workerBytesPerSecond()));
        FileWorkload workload = new FileWorkload(files, size, rate.orElse(Double.POSITIVE_INFINITY));
        Estimate estimate = Estimate.of(workload, prices, setup, BlobLayout.measure(size));
        report.print(json(estimate), out -> print(estimate, out));
        return ExitCodes.OK;
    }

    private static void aboveZero(String option, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException("%s: a number above 0, not %s".formatted(option, value));
        }
    }

    private static Map<String, Object> json(Estimate estimate) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("direct", cost(estimate.direct()));
        json.put("packed", estimate.packed().stream().map(EstimateCommand::row).toList());
        json.put("recommended", row(estimate.recommended()));
        json.put("method", METHOD);
        json.put("error", ERROR);
        return json;
    }

    private static Map<String, Object> row(Estimate.Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("blob_max_bytes", row.blobMaxBytes());
        json.put("seal_after_seconds", row.sealAfter().toMillis() / 1e3);
        json.putAll(cost(row.cost()));
        return json;
    }

    private static Map<String, Object> cost(IngestCost cost) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("seconds", cost.seconds());
        json.put("puts", cost.puts());
        json.put("backup_puts", cost.backupPuts());
        json.put("objects", cost.objects());
        json.put("object_bytes", cost.objectBytes());
        json.put("stored_bytes", cost.storedBytes());
        json.put("request_dollars", cost.requestDollars());
        json.put("upload_dollars", cost.uploadDollars());
        json.put("storage_dollars_per_month", cost.storageDollars());
        json.put("dollars", cost.dollars());
        return json;
    }

    private static void print(Estimate estimate, PrintWriter out) {
        out.printf(
                "%-38s %12s %16s %12s %14s %14s %14s%n",
                "", "object", "PUTs", "time", "requests $", "storage $/mo", "first month $");
        line(out, "direct", estimate.direct());
        for (Estimate.Alike alike : estimate.alike()) {
            String mark = alike.has(estimate.recommended()) ? " *" : "";
            line(out, seal(alike) + mark, alike.least().cost());
        }
        Estimate.Row best = estimate.recommended();
        out.printf(
                Locale.ROOT,
                "%n* recommended: --option packing.blob.max.bytes=%d --option packing.seal.after=%ds: %s%n",
                best.blobMaxBytes(),
                best.sealAfter().toSeconds(),
                estimate.reason());
        out.printf(
                Locale.ROOT,
                "  %,.0f times fewer requests and %,.1f times cheaper in the first month than direct%n",
                estimate.direct().puts() / best.cost().puts(),
                estimate.direct().dollars() / best.cost().dollars());
        out.printf("  method: %s%n  error: %s%n", METHOD, ERROR);
    }

    private static String seal(Estimate.Alike alike) {
        String blobs = range(bytes((double) alike.least().blobMaxBytes()), bytes((double)
                alike.most().blobMaxBytes()));
        return "%s after %s"
                .formatted(
                        blobs,
                        range(time(alike.least().sealAfter()), time(alike.most().sealAfter())));
    }

    private static String range(String least, String most) {
        return least.equals(most) ? least : least + " to " + most;
    }

    private static void line(PrintWriter out, String name, IngestCost cost) {
        out.printf(
                Locale.ROOT,
                "%-38s %12s %,16.0f %12s %,14.4f %,14.4f %,14.4f%n",
                name,
                bytes(cost.objectBytes()),
                cost.puts(),
                time(Duration.ofMillis((long) (cost.seconds() * 1_000))),
                cost.requestDollars() + cost.uploadDollars(),
                cost.storageDollars(),
                cost.dollars());
    }

    private static String bytes(double bytes) {
        double value = bytes;
        for (String unit : List.of("B", "KB", "MB")) {
            if (value < 1_024) {
                return String.format(Locale.ROOT, value < 10 && !unit.equals("B") ? "%.1f %s" : "%.0f %s", value, unit);
            }
            value /= 1_024;
        }
        return String.format(Locale.ROOT, value < 10 ? "%.1f GB" : "%.0f GB", value);
    }

    private static String time(Duration time) {
        double seconds = time.toMillis() / 1e3;
        if (seconds < 120) {
            return String.format(Locale.ROOT, seconds < 10 && seconds % 1 != 0 ? "%.1f s" : "%.0f s", seconds);
        }
        if (seconds < 7_200) {
            return String.format(Locale.ROOT, "%.0f min", seconds / 60);
        }
        return String.format(
                Locale.ROOT, seconds < 172_800 ? "%.1f h" : "%.1f d", seconds / (seconds < 172_800 ? 3_600 : 86_400));
    }
}
