// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * A division of the data of each heat (Fig. 3.8) over the families, so that each family has its published ratio of I/O
 * to data (Fig. 3.4b).
 *
 * <p>Three sums are given: the data of each heat, the data of each family, and the reads of each family. The division
 * is the one with these sums that has the most entropy, so it assumes least. A family's share of a heat is a product: a
 * factor of the heat, a factor of the family, and a power of the heat. Families without a published ratio are equally
 * hot.
 */
final class FamilyHeats {
    private static final int MOST_ROUNDS = 500;
    private static final double CLOSE = 1e-9;
    private static final double STEEPEST = 20;

    private final int[] heats;
    private final double[] bytes;
    private final double[] weights;

    private FamilyHeats(SortedMap<Integer, Double> bytesByHeat) {
        this.heats = bytesByHeat.keySet().stream().mapToInt(Integer::intValue).toArray();
        this.bytes =
                bytesByHeat.values().stream().mapToDouble(Double::doubleValue).toArray();
        this.weights = bytes.clone();
    }

    static List<TraceModel.HeatClass> of(
            Workload workload, Background background, SortedMap<Integer, Double> bytesByHeat) {
        List<Workload.Family> families = workload.families();
        double live =
                bytesByHeat.values().stream().mapToDouble(Double::doubleValue).sum();
        double reads = bytesByHeat.entrySet().stream()
                .mapToDouble(e -> e.getKey() * e.getValue())
                .sum();
        double[] data = families.stream().mapToDouble(f -> f.data() * live).toArray();
        double[] means = means(families, background, data, reads);
        FamilyHeats heats = new FamilyHeats(bytesByHeat);
        return switch (workload.reads().familyHeat()) {
            case PUBLISHED -> heats.divide(data, means);
            case ALIKE -> {
                Arrays.fill(means, reads / live);
                yield heats.divide(data, means);
            }
            case APART -> heats.stack(data, means);
        };
    }

    /** Returns the reads per byte of each family's live data. */
    private static double[] means(List<Workload.Family> families, Background background, double[] data, double reads) {
        double[] means = new double[data.length];
        double leftReads = reads;
        double leftData = 0.0;
        for (int f = 0; f < means.length; f++) {
            Workload.Family family = families.get(f);
            if (family.ratio().isPresent()) {
                double own = family.ratio().getAsDouble() * (background.data(family) + data[f]) - background.io(family);
                means[f] = own / data[f];
                leftReads -= own;
            } else {
                leftData += data[f];
            }
        }
        for (int f = 0; f < means.length; f++) {
            if (families.get(f).ratio().isEmpty()) {
                means[f] = leftReads / leftData;
            }
            // Gets read each of these bytes at least once.
            TraceModel.positive("repeated reads of " + families.get(f).name(), means[f] - 1);
        }
        return means;
    }

    private List<TraceModel.HeatClass> divide(double[] data, double[] means) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            double[][] parts = new double[data.length][];
            for (int f = 0; f < data.length; f++) {
                parts[f] = part(data[f], means[f]);
            }
            double worst = 0.0;
            for (int c = 0; c < heats.length; c++) {
                double sum = 0.0;
                for (double[] part : parts) {
                    sum += part[c];
                }
                worst = Math.max(worst, Math.abs(sum / bytes[c] - 1));
                weights[c] *= bytes[c] / sum;
            }
            if (worst < CLOSE) {
                return classes(parts);
            }
        }
        throw new IllegalArgumentException(
                "families: no division of the heats of reads over them has their ratios; they contradict each other");
    }

    /** Gives the hottest data to the hottest family until it has its data, then to the next family. */
    private List<TraceModel.HeatClass> stack(double[] data, double[] means) {
        int[] order = IntStream.range(0, data.length)
                .boxed()
                .sorted(Comparator.comparingDouble(f -> -means[f]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[][] parts = new double[data.length][heats.length];
        int next = 0;
        double room = data[order[0]];
        for (int c = heats.length - 1; c >= 0; c--) {
            double left = bytes[c];
            while (left > room && next < order.length - 1) {
                parts[order[next]][c] += room;
                left -= room;
                room = data[order[++next]];
            }
            parts[order[next]][c] += left;
            room -= left;
        }
        return classes(parts);
    }

    /** Returns a family's data by heat: the weights, tilted by a power of the heat until the mean is right. */
    private double[] part(double data, double mean) {
        double low = -STEEPEST;
        double high = STEEPEST;
        for (int i = 0; i < 80; i++) {
            double middle = (low + high) / 2;
            if (mean(tilted(middle)) < mean) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double[] part = tilted(low);
        double sum = Arrays.stream(part).sum();
        for (int c = 0; c < part.length; c++) {
            part[c] *= data / sum;
        }
        return part;
    }

    private double[] tilted(double exponent) {
        double[] result = new double[heats.length];
        for (int c = 0; c < result.length; c++) {
            result[c] = weights[c] * Math.pow(heats[c], exponent);
        }
        return result;
    }

    private double mean(double[] part) {
        double reads = 0.0;
        double sum = 0.0;
        for (int c = 0; c < part.length; c++) {
            reads += heats[c] * part[c];
            sum += part[c];
        }
        return reads / sum;
    }

    private List<TraceModel.HeatClass> classes(double[][] parts) {
        List<TraceModel.HeatClass> classes = new ArrayList<>();
        for (int c = 0; c < heats.length; c++) {
            List<Double> shares = new ArrayList<>();
            for (double[] part : parts) {
                shares.add(part[c] / bytes[c]);
            }
            classes.add(new TraceModel.HeatClass(heats[c], bytes[c], List.copyOf(shares)));
        }
        return List.copyOf(classes);
    }
}
