// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.subtree;

import io.packing.sim.RunResult;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A run of operations on a split mount in virtual time. Operations arrive at random (Poisson), each at the group that
 * has its subtree, and each group's leader does one after the other. A change in subtrees of two groups is prepared and
 * synced in both, and then decided.
 */
public final class SplitMountRun {
    private static final double MICROS = 1e6;
    private static final double GB = 1e9;
    private static final int PLAYED = 1 << 16;
    private static final List<String> NAMES = List.of(
            "busiest-load",
            "mean-load",
            "wait-mean-us",
            "wait-p99-us",
            "cross-per-s",
            "cross-mean-us",
            "heartbeats-per-s",
            "heartbeat-load",
            "table-gb-mean",
            "table-gb-most",
            "masters",
            "disk-tb",
            "moves-per-day",
            "moved-gb-per-day");

    private final SplitMount mount;
    private final Random random;
    private final SubtreeMap map;
    private final double[] free;
    private final double[] worked;
    private double crossMicros;
    private long crossed;

    private SplitMountRun(SplitMount mount, long seed) {
        this.mount = mount;
        this.random = new Random(seed);
        this.map = new SubtreeMap(mount, random);
        this.free = new double[mount.groups()];
        this.worked = new double[mount.groups()];
    }

    public static Set<String> metricNames() {
        return Set.copyOf(NAMES);
    }

    /**
     * Simulates a mount.
     *
     * @param operations number of operations
     */
    public static RunResult of(SplitMount mount, long operations, long seed, LongConsumer played) {
        return new SplitMountRun(mount, seed).run(operations, played);
    }

    private RunResult run(long operations, LongConsumer played) {
        SplitMount.Rates rates = mount.rates();
        SplitMount.Costs costs = mount.costs();
        double all = rates.creates() + rates.locates() + rates.changes();
        double[] sums = map.sums();
        double beats = mount.workers() * rates.heartbeats();
        // Heartbeats come evenly: they take their share of every moment.
        double slow = 1 / Math.max(1e-3, 1 - beats * costs.heartbeat() / MICROS);
        double[] waits = new double[Math.toIntExact(operations)];
        double now = 0;
        for (int i = 0; i < waits.length; i++) {
            now -= Math.log(1 - random.nextDouble()) * MICROS / all;
            int group = map.owner(draw(sums));
            double kind = random.nextDouble() * all;
            if (kind < rates.creates()) {
                waits[i] = serve(group, now, costs.create() * slow);
            } else if (kind < rates.creates() + rates.locates()) {
                waits[i] = serve(group, now, costs.locate() * slow);
            } else {
                waits[i] = change(group, sums, now, slow);
            }
            if (i % PLAYED == 0) {
                played.accept(i);
            }
        }
        return new RunResult(metrics(waits, now, beats), List.of(), 0);
    }

    private int draw(double[] sums) {
        int at = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
        return Math.min(sums.length - 1, at < 0 ? -at - 1 : at);
    }

    /** Serves an operation, and returns its wait. */
    private double serve(int group, double now, double micros) {
        double start = Math.max(free[group], now);
        free[group] = start + micros;
        worked[group] += micros;
        return start - now;
    }

    private double change(int group, double[] sums, double now, double slow) {
        SplitMount.Costs costs = mount.costs();
        if (random.nextDouble() >= mount.rates().cross()) {
            return serve(group, now, costs.change() * slow);
        }
        int other = map.owner(draw(sums));
        if (other == group) {
            return serve(group, now, costs.change() * slow);
        }
        // Both groups prepare the change, each with a sync that other changes may share. Then the first group decides,
        // and tells the second.
        double wait = serve(group, now, 2 * costs.change() * slow);
        double there = serve(other, now + costs.trip(), 2 * costs.change() * slow);
        double prepared = Math.max(free[group], free[other] + costs.trip()) + costs.sync();
        crossMicros += prepared + costs.sync() - now;
        crossed++;
        return Math.max(wait, there);
    }

    private Map<String, Double> metrics(double[] waits, double micros, double beats) {
        double seconds = micros / MICROS;
        double heartbeatLoad = beats * mount.costs().heartbeat() / MICROS;
        double[] sorted = waits.clone();
        Arrays.sort(sorted);
        double table = mount.files() * mount.bytesPerFile() / GB;
        double[] full = map.full();
        double[] used = map.used();
        double limit = (1 + mount.tolerance()) * Math.max(1.0 / mount.groups(), most(used) / (1 + mount.tolerance()));
        map.drift(mount.drift(), random);
        SubtreeMap.Moves moves = map.balance(limit);
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("busiest-load", most(worked) / micros);
        metrics.put("mean-load", Arrays.stream(worked).sum() / mount.groups() / micros);
        metrics.put("wait-mean-us", Arrays.stream(waits).average().orElse(0));
        metrics.put("wait-p99-us", sorted[(int) (sorted.length * 0.99)]);
        metrics.put("cross-per-s", crossed / seconds);
        metrics.put("cross-mean-us", crossed == 0 ? 0 : crossMicros / crossed);
        metrics.put("heartbeats-per-s", beats * mount.groups());
        metrics.put("heartbeat-load", heartbeatLoad);
        metrics.put("table-gb-mean", table / mount.groups());
        metrics.put("table-gb-most", table * most(full));
        metrics.put("masters", (double) mount.groups() * mount.masters());
        metrics.put("disk-tb", table * mount.masters() / 1e3);
        metrics.put("moves-per-day", (double) moves.count());
        metrics.put("moved-gb-per-day", table * moves.size());
        return metrics;
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }
}
