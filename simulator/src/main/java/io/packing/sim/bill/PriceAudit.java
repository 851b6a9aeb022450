// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.options.PriceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A prediction beside the requests that were counted, and two counts beside each other. A row that is judged has to be within the
 * tolerance.
 *
 * @param tolerance the largest deviation, as a share of the counted value
 */
public record PriceAudit(List<Row> rows, double tolerance) {
    /**
     * A number and its counterpart.
     *
     * @param judged false: the row is for information only
     */
    public record Row(String what, double predicted, double counted, boolean judged) {
        /** Returns the difference as a share of the counted value; empty: nothing was counted, though something was predicted. */
        public Optional<Double> deviation() {
            if (counted == 0) {
                return predicted == 0 ? Optional.of(0.0) : Optional.empty();
            }
            return Optional.of((predicted - counted) / counted);
        }

        boolean within(double tolerance) {
            return deviation().map(share -> Math.abs(share) <= tolerance).orElse(false);
        }
    }

    public PriceAudit {
        rows = List.copyOf(rows);
        if (!(tolerance >= 0)) {
            throw new IllegalArgumentException("a tolerance of " + tolerance);
        }
    }

    /**
     * Compares a model's prediction with the counted requests. PUTs and dollars are judged; the dollars of the other
     * kinds are part of the sum, and bytes cost no request.
     *
     * @param writesOnly leaves reads out of the dollars, since the model knows none
     * @param prices of the bill; the prediction has its own
     * @param countedBytes empty: nothing counted them
     */
    public static PriceAudit of(
            BillPrediction predicted,
            BilledRequests counted,
            Optional<Double> countedBytes,
            PriceTable prices,
            boolean writesOnly,
            double tolerance) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("PUT", predicted.puts(), (double) counted.puts(), true));
        rows.add(new Row("LIST", predicted.lists(), (double) counted.lists(), false));
        rows.add(new Row("GET", predicted.gets(), (double) counted.gets(), false));
        rows.add(new Row("HEAD", predicted.heads(), (double) counted.heads(), false));
        countedBytes.ifPresent(bytes -> rows.add(new Row("bytes stored", predicted.bytes(), bytes, false)));
        double reads = predictedShare(predicted, prices);
        rows.add(new Row(
                writesOnly ? "dollars for writes" : "dollars",
                writesOnly ? predicted.dollars() * (1 - reads) : predicted.dollars(),
                writesOnly ? counted.writeDollars(prices) : counted.dollars(prices),
                true));
        return new PriceAudit(rows, tolerance);
    }

    /** Returns the share of the reads in the dollars of a prediction, whatever its prices were. */
    private static double predictedShare(BillPrediction predicted, PriceTable prices) {
        double reads = prices.requests(0, 0, predicted.gets(), predicted.heads());
        double all = prices.requests(predicted.puts(), predicted.lists(), predicted.gets(), predicted.heads());
        return all == 0 ? 0 : reads / all;
    }

    /**
     * Compares the requests that a mount's meter counted with those in the store's log. PUTs and dollars are judged: the few requests by
     * which a master finds a mount before it opens it are in no meter, and nearly all of them are reads.
     */
    public static PriceAudit ofCounts(BilledRequests meter, BilledRequests log, PriceTable prices, double tolerance) {
        return new PriceAudit(
                List.of(
                        new Row("PUT", (double) meter.puts(), (double) log.puts(), true),
                        new Row("LIST", (double) meter.lists(), (double) log.lists(), false),
                        new Row("GET", (double) meter.gets(), (double) log.gets(), false),
                        new Row("HEAD", (double) meter.heads(), (double) log.heads(), false),
                        new Row("DELETE", (double) meter.deletes(), (double) log.deletes(), false),
                        new Row("refused", (double) meter.throttled(), (double) log.throttled(), false),
                        new Row("dollars", meter.dollars(prices), log.dollars(prices), true)),
                tolerance);
    }

    /** Returns the rows that are judged and are not within the tolerance. */
    public List<Row> failures() {
        return rows.stream()
                .filter(row -> row.judged() && !row.within(tolerance))
                .toList();
    }
}
