// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A quantity of a daemon over the time of a soak. Its first third is the warm-up, in which caches fill and classes load. It is flat if the
 * median of the last third is not far above that of the second one. Confined to one thread.
 */
final class Trend {
    /** The fewest samples of a judgement: three in each third. */
    static final int FEWEST = 9;

    private static final int THIRDS = 3;

    private final String name;
    private final double floor;
    private final double share;
    private final List<Double> samples = new ArrayList<>();

    /**
     * @param floor growth that is allowed whatever the quantity is
     * @param share growth that is allowed, as a share of the median of the second third
     */
    Trend(String name, double floor, double share) {
        this.name = name;
        this.floor = floor;
        this.share = share;
    }

    void add(double sample) {
        samples.add(sample);
    }

    /** A judgement: medians of the second and of the last third. */
    record Verdict(String name, double before, double after, double allowed, boolean flat) {
        /** Returns a line for the operator. */
        String line() {
            return String.format(
                    Locale.ROOT,
                    "%-28s %12.1f %12.1f  %s",
                    name,
                    before,
                    after,
                    flat ? "flat" : String.format(Locale.ROOT, "GREW by %.1f, allowed %.1f", after - before, allowed));
        }
    }

    /**
     * Returns the judgement.
     *
     * @throws IllegalStateException with too few samples
     */
    Verdict verdict() {
        if (samples.size() < FEWEST) {
            throw new IllegalStateException(
                    "%s has %d samples, and %d are needed: soak for longer, or sample more often"
                            .formatted(name, samples.size(), FEWEST));
        }
        int third = samples.size() / THIRDS;
        double before = median(samples.subList(samples.size() - 2 * third, samples.size() - third));
        double after = median(samples.subList(samples.size() - third, samples.size()));
        double allowed = Math.max(floor, share * before);
        return new Verdict(name, before, after, allowed, after - before <= allowed);
    }

    private static double median(List<Double> of) {
        List<Double> sorted = of.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
