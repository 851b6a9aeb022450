// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.figure;

import io.packing.lab.compare.Baseline;
import io.packing.lab.compare.IngestReport;
import io.packing.lab.compare.PaperIngest;
import java.util.ArrayList;
import java.util.List;

/** The figure of requests that the store refused, with and without packing (Figure 1b). */
public final class RefusedRequests {
    private static final double PER = 1_000;

    private RefusedRequests() {}

    /** Returns the bars of an ingest, with the paper's direct side beside them. */
    public static ByWay of(IngestReport report) {
        List<String> ways = new ArrayList<>(List.of("packed"));
        List<Double> refused = new ArrayList<>(List.of(PER
                * report.comparison().packed().throttled()
                / report.comparison().packed().files()));
        for (Baseline each : report.baselines()) {
            ways.add(each.client());
            refused.add(each.throttledPer1000());
        }
        ways.add("paper, direct");
        refused.add(PaperIngest.TABLE_1.directRetriesPer1000());
        return new ByWay(
                "retries",
                "Requests that the store refused",
                "refused for 1,000 files",
                ways,
                List.of(new ByWay.Measure("refused_per_1000", refused)));
    }
}
