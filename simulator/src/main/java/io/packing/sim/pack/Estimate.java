// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.options.PriceTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to "what would it cost": direct, packed for every seal of a sweep, and the recommended seal.
 *
 * @param recommended the seal with the youngest files among those that cost at most a percent more than the cheapest
 */
public record Estimate(FileWorkload workload, BlobLayout layout, IngestCost direct, List<Row> packed, Row recommended) {
    /** The factor by which a younger seal may cost more than the cheapest. */
    private static final double MARGIN = 1.01;

    private static final List<Long> BLOBS = List.of(16L << 20, 64L << 20, 256L << 20, 1L << 30);
    private static final List<Duration> AGES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(15));

    /** A seal and its cost. */
    public record Row(long blobMaxBytes, Duration sealAfter, IngestCost cost) {}

    /**
     * Seals that make equal blobs, so that the choice between them does not matter.
     *
     * @param least blob and age
     * @param most blob and age
     */
    public record Alike(Row least, Row most) {
        public boolean has(Row row) {
            return least.cost().equals(row.cost());
        }
    }

    /** Returns the seals, grouped by equal blobs. */
    public List<Alike> alike() {
        Map<IngestCost, List<Row>> byCost = new LinkedHashMap<>();
        packed.forEach(row ->
                byCost.computeIfAbsent(row.cost(), unused -> new ArrayList<>()).add(row));
        return byCost.values().stream()
                .map(rows -> new Alike(rows.get(0), rows.get(rows.size() - 1)))
                .toList();
    }

    /** Returns the reason for the recommended seal, in one sentence. */
    public String reason() {
        Optional<Row> shorter = packed.stream()
                .filter(row -> row.sealAfter().compareTo(recommended.sealAfter()) < 0)
                .min(Comparator.comparingDouble(row -> row.cost().dollars()));
        String first = shorter.isEmpty()
                ? "the table has no shorter age"
                : String.format(
                        Locale.ROOT,
                        "a shorter age costs %.1f %% more",
                        100
                                * (shorter.get().cost().dollars()
                                                / recommended.cost().dollars()
                                        - 1));
        return "%s, and a longer one saves less than 1 %%.".formatted(first);
    }

    public Estimate {
        packed = List.copyOf(packed);
    }

    /** Computes the estimate. */
    public static Estimate of(FileWorkload workload, PriceTable prices, PackingSetup setup, BlobLayout layout) {
        IngestModel model = new IngestModel(prices);
        List<Row> rows = new ArrayList<>();
        for (long blob : BLOBS) {
            for (Duration age : AGES) {
                rows.add(new Row(blob, age, model.packed(workload, setup.sealing(blob, age), layout)));
            }
        }
        double cheapest =
                rows.stream().mapToDouble(row -> row.cost().dollars()).min().orElseThrow();
        Row recommended = rows.stream()
                .filter(row -> row.cost().dollars() <= cheapest * MARGIN)
                .min(Comparator.comparing(Row::sealAfter)
                        .thenComparing(row -> row.cost().dollars())
                        .thenComparing(Row::blobMaxBytes))
                .orElseThrow();
        return new Estimate(workload, layout, model.direct(workload), rows, recommended);
    }
}
