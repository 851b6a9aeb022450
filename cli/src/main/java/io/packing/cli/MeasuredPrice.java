// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Narrator;
import io.packing.cli.measure.StoreProbe;
import io.packing.cli.measure.TraceMeasurement;
import io.packing.options.PriceTable;
import io.packing.sim.bill.BillPrediction;
import io.packing.sim.bill.MountUpkeep;
import io.packing.sim.bill.OptionSearch;
import io.packing.sim.bill.PriceAudit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The way from a trace to a judged prediction: probe the store, simulate, recommend, play the trace on a mount with the recommended options,
 * and compare.
 */
final class MeasuredPrice {
    private final PriceTable prices;
    private final PredictedBill predicted;
    private final MeasureArgument measure;
    private final Map<String, String> options;
    private final Narrator narrator;

    /** @param options that lead to the store, without its location */
    MeasuredPrice(
            PriceTable prices,
            PredictedBill predicted,
            MeasureArgument measure,
            Map<String, String> options,
            Narrator narrator) {
        this.prices = prices;
        this.predicted = predicted;
        this.measure = measure;
        this.options = options;
        this.narrator = narrator;
    }

    /** @param tolerance the largest deviation, as a share of the measured number */
    PriceFindings run(double tolerance) throws IOException {
        String place = measure.location() + "/measured-" + UUID.randomUUID();
        Path home = Files.createTempDirectory("packing-measure");
        try (TraceMeasurement measurement = new TraceMeasurement(options, place, home)) {
            measurement.prepare();
            narrator.accept("measuring the store");
            StoreProbe store = measurement.probe();
            double localSeconds = measurement.localReadSeconds();
            Map<String, Object> stack = new LinkedHashMap<>();
            stack.put("store.put-latency", nanos(store.putSeconds()));
            stack.put("store.get-latency", nanos(store.getSeconds()));
            stack.put("store.latency-spread", 0);
            stack.put("store.connection", Math.max(1, Math.round(store.bytesPerSecond())));
            stack.put("workers.link", Math.max(1, Math.round(store.bytesPerSecond())));
            stack.put("workers.read-time", nanos(localSeconds));
            predicted.simulateLike(stack, measure.speed());
            narrator.accept("simulating options");
            OptionSearch search = predicted.search(prices);
            OptionSearch.Choice choice = predicted.simulated(prices, search.recommended());
            narrator.accept("playing the trace");
            TraceMeasurement.Measured measured = measurement.play(
                    predicted::open,
                    Map.of(
                            "packing.blob.max.bytes",
                            String.valueOf(choice.blobMaxBytes()),
                            "packing.seal.after",
                            choice.sealAfter().toMillis() + "ms"),
                    measure.speed(),
                    predicted.prepared(),
                    OptionSearch.spillBytes(choice.blobMaxBytes()),
                    choice.sealAfter());
            BillPrediction bill = new MountUpkeep(measured.seconds(), predicted.journals()).with(choice.bill(), prices);
            PriceFindings.Section section = new PriceFindings.Section(
                    bill.source() + ", beside the mount that played the trace",
                    "predicted",
                    "measured",
                    new PriceAudit(rows(bill, choice, measured), tolerance));
            return new PriceFindings(
                    List.of(section),
                    List.of(),
                    Optional.of(search),
                    Optional.empty(),
                    facts(store, localSeconds, choice, measured));
        }
    }

    private static String nanos(double seconds) {
        return Math.round(seconds * 1e9) + "ns";
    }

    private List<PriceAudit.Row> rows(
            BillPrediction bill, OptionSearch.Choice choice, TraceMeasurement.Measured measured) {
        List<PriceAudit.Row> rows = new ArrayList<>();
        rows.add(new PriceAudit.Row(
                "PUT", bill.puts(), (double) measured.requests().puts(), true));
        rows.add(new PriceAudit.Row(
                "LIST", bill.lists(), (double) measured.requests().lists(), false));
        rows.add(new PriceAudit.Row(
                "GET", bill.gets(), (double) measured.requests().gets(), false));
        rows.add(new PriceAudit.Row(
                "dollars", bill.dollars(), measured.requests().dollars(prices), true));
        if (!Double.isNaN(choice.durableSeconds()) && !Double.isNaN(measured.durableSeconds())) {
            rows.add(new PriceAudit.Row("s until durable", choice.durableSeconds(), measured.durableSeconds(), true));
            rows.add(
                    new PriceAudit.Row("s at most", choice.durableSecondsMost(), measured.durableSecondsMost(), false));
        }
        if (!Double.isNaN(choice.readMillis()) && !Double.isNaN(measured.readMillis())) {
            rows.add(new PriceAudit.Row("ms of a read", choice.readMillis(), measured.readMillis(), true));
        }
        rows.add(new PriceAudit.Row("failed actions", 0, (double) measured.failures(), true));
        return rows;
    }

    private Map<String, Object> facts(
            StoreProbe store, double localSeconds, OptionSearch.Choice choice, TraceMeasurement.Measured measured)
            throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("store_put_ms", store.putSeconds() * 1e3);
        facts.put("store_get_ms", store.getSeconds() * 1e3);
        facts.put("store_mb_per_s", store.bytesPerSecond() / 1e6);
        facts.put("local_read_ms", localSeconds * 1e3);
        facts.put("speed", measure.speed());
        facts.put("played_blob_max_bytes", choice.blobMaxBytes());
        facts.put("played_seal_after_seconds", choice.sealAfter().toMillis() / 1e3);
        facts.put("prepared_files", predicted.prepared().size());
        facts.put("seconds", measured.seconds());
        facts.put("late_seconds", measured.latestSeconds());
        facts.put("failures", measured.examples());
        return facts;
    }
}
