// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.sim.RunResult;
import io.packing.sim.pack.PackSimulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A search of the options of a mount by simulations of one trace: each size and age of blobs, and files as objects of their own.
 *
 * @param recommended the youngest seal among those that cost at most a percent more than the cheapest
 */
public record OptionSearch(Choice direct, List<Choice> packed, Choice recommended) {
    /** The factor by which a younger seal may cost more than the cheapest. */
    private static final double MARGIN = 1.01;

    private static final long LEAST_SPILL = 4_000_000;
    private static final long MOST_SPILL = 16_000_000;
    private static final long BLOB_PART_OF_SPILL = 16;

    private static final List<Long> BLOBS = List.of(4L << 20, 16L << 20, 64L << 20, 256L << 20, 1L << 30);
    private static final List<Duration> AGES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(15));

    /**
     * Options and what the simulation predicts for them.
     *
     * @param blobMaxBytes {@code packing.blob.max.bytes}; 0: files are not packed
     * @param sealAfter {@code packing.seal.after}
     * @param durableSeconds from the close of a file until the store has it, on average
     * @param durableSecondsMost of any file
     * @param readMillis of a read, on average; not a number: the trace has none
     * @param readMillisP99 of 99 of 100 reads at most
     */
    public record Choice(
            long blobMaxBytes,
            Duration sealAfter,
            BillPrediction bill,
            double durableSeconds,
            double durableSecondsMost,
            double readMillis,
            double readMillisP99) {}

    /** A player of the trace: it opens the trace for each simulation anew. */
    public interface Player {
        RunResult play(PackSimulation simulation) throws IOException;
    }

    public OptionSearch {
        packed = List.copyOf(packed);
    }

    /**
     * Searches.
     *
     * @param stack parameters of the simulated stack that stay as they are, with the prices
     */
    public static OptionSearch of(Config stack, Player trace) throws IOException {
        List<Choice> packed = new ArrayList<>();
        for (long blob : BLOBS) {
            for (Duration age : AGES) {
                packed.add(packed(stack, trace, blob, age));
            }
        }
        double cheapest = packed.stream()
                .mapToDouble(choice -> choice.bill().dollars())
                .min()
                .orElseThrow();
        Choice recommended = packed.stream()
                .filter(choice -> choice.bill().dollars() <= cheapest * MARGIN)
                .min(Comparator.comparing(Choice::sealAfter)
                        .thenComparing(choice -> choice.bill().dollars())
                        .thenComparing(Choice::blobMaxBytes))
                .orElseThrow();
        return new OptionSearch(direct(stack, trace), packed, recommended);
    }

    /** Simulates files as objects of their own. */
    public static Choice direct(Config stack, Player trace) throws IOException {
        Config config = ConfigFactory.parseMap(Map.of("mode", "direct", "workload", "trace"));
        return choice("simulation, direct", 0, Duration.ZERO, config.withFallback(stack), trace);
    }

    /** Simulates one size and age of blobs. */
    public static Choice packed(Config stack, Player trace, long blobMaxBytes, Duration sealAfter) throws IOException {
        Config config = ConfigFactory.parseMap(Map.of(
                "workload",
                "trace",
                "packing.blob",
                blobMaxBytes,
                "packing.spill",
                spillBytes(blobMaxBytes),
                "packing.seal-after",
                sealAfter.toMillis() + "ms"));
        String source = "simulation, blobs of %,d bytes after %,d ms".formatted(blobMaxBytes, sealAfter.toMillis());
        return choice(source, blobMaxBytes, sealAfter, config.withFallback(stack), trace);
    }

    /** Returns the size up to which files share blobs of a size, by a mount's defaults. */
    public static long spillBytes(long blobMaxBytes) {
        return Math.max(LEAST_SPILL, Math.min(MOST_SPILL, blobMaxBytes / BLOB_PART_OF_SPILL));
    }

    private static Choice choice(String source, long blob, Duration age, Config config, Player trace)
            throws IOException {
        RunResult run = trace.play(new PackSimulation(config));
        double bytes = run.metric("bytes-mib") * (1 << 20);
        double amplification = run.metric("write-amplification");
        return new Choice(
                blob,
                age,
                new BillPrediction(
                        source,
                        run.metric("puts"),
                        run.metric("lists"),
                        run.metric("gets"),
                        0,
                        bytes == 0 ? 0 : bytes * amplification,
                        run.metric("request-dollars")),
                run.metric("exposed-s"),
                run.metric("exposed-s-max"),
                run.metric("read-ms"),
                run.metric("read-ms-p99"));
    }
}
