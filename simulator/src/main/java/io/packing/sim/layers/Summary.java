// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import io.packing.sim.Cause;
import io.packing.sim.RunResult;
import io.packing.sim.Scale;
import io.packing.sim.hdfs.HdfsCounters;
import io.packing.sim.hdfs.HdfsModel;
import io.packing.sim.node.DataNode;
import io.packing.sim.node.HitTimeline;
import io.packing.sim.node.NodeCounters;
import io.packing.sim.node.NodeStoreOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The metrics made of counters: rates per minute of one machine, shares, mean latencies, dollars. */
final class Summary {
    private static final double MB = 1 << 20;
    private static final double TB = 1e12;
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final double NANOS_PER_YEAR = 365.25 * 86_400e9;

    private final Map<String, Double> metrics = new LinkedHashMap<>();
    private final SimulatorOptions config;
    private final Scale scale;
    private final List<DataNode> nodes;
    private final double minutes;
    private final double nanos;

    Summary(SimulatorOptions config, Scale scale, List<DataNode> nodes, long nanos) {
        this.config = config;
        this.scale = scale;
        this.nodes = nodes;
        this.nanos = Math.max(1.0, (double) nanos);
        // A trace that is too small a share is also too short, or its rates are not the machine's: this corrects the
        // rates.
        this.minutes = this.nanos / NANOS_PER_MINUTE * scale.machine() / scale.time();
    }

    RunResult result(HdfsModel hdfs, long late) {
        List<NodeCounters> counters = nodes.stream().map(DataNode::counters).toList();
        input(hdfs, late);
        clients(hdfs);
        fileSystem(counters);
        network(counters);
        disks(counters);
        money();
        return new RunResult(metrics, hitRates(), config.store().stretchNanos() / 3.6e12);
    }

    private void input(HdfsModel model, long late) {
        HdfsCounters hdfs = model.counters();
        put("events", (double) hdfs.events);
        put("days", nanos / scale.time() / 86_400e9);
        put("unknown-calls", (double) hdfs.unknown);
        put("failed-calls", (double) hdfs.failed);
        put("unmodelled-calls", (double) hdfs.unmodelled);
        put("placeless-calls", (double) hdfs.placeless);
        put("late-events", (double) late);
    }

    private void clients(HdfsModel model) {
        HdfsCounters hdfs = model.counters();
        bytes("hdfs-reads", NodeCounters.total(hdfs.reads));
        bytes("hdfs-writes", NodeCounters.total(hdfs.writes));
        for (Cause cause : Cause.values()) {
            put("hdfs-reads-tb-" + cause.label(), tb(hdfs.reads[cause.index()]));
            put("hdfs-writes-tb-" + cause.label(), tb(hdfs.writes[cause.index()]));
        }
        put("touched-tb", tb(model.touchedBytes()));
        put("touched-by-core-tb", tb(model.touchedByCoreBytes()));
    }

    private void fileSystem(List<NodeCounters> all) {
        bytes("fs-reads", sum(all, c -> NodeCounters.total(c.reads)));
        bytes("fs-writes", sum(all, c -> NodeCounters.total(c.writes)));
        put(
                "fs-read-share",
                ratio(
                        sum(all, c -> NodeCounters.total(c.reads)),
                        sum(all, c -> NodeCounters.total(c.reads) + NodeCounters.total(c.writes))));
        bytes("ram-reads", sum(all, c -> c.ramBytes));
        bytes("ram-writes", sum(all, c -> c.missedBytes + c.cachedWrites));
        bytes("flash-reads", sum(all, c -> c.flashBytes));
        put(
                "hit-rate",
                ratio(sum(all, c -> NodeCounters.total(c.hits)), sum(all, c -> NodeCounters.total(c.readRequests))));
        put(
                "ram-hit-rate",
                ratio(sum(all, c -> NodeCounters.total(c.ramHits)), sum(all, c -> NodeCounters.total(c.readRequests))));
        for (Cause cause : Cause.values()) {
            int at = cause.index();
            put("hit-rate-" + cause.label(), ratio(sum(all, c -> c.hits[at]), sum(all, c -> c.readRequests[at])));
        }
        int user = Cause.USER_READ.index();
        put("foreground-ms", millis(sum(all, c -> c.answerNanos[user]), sum(all, c -> c.answered[user])));
    }

    private void network(List<NodeCounters> all) {
        bytes("net-reads", sum(all, c -> c.networkBytes));
    }

    private void disks(List<NodeCounters> all) {
        bytes("disk-reads", sum(all, c -> NodeCounters.total(c.diskReads)));
        bytes("disk-writes", sum(all, c -> NodeCounters.total(c.diskWrites)));
        put("disk-reads-gb", 1000 * tb(sum(all, c -> NodeCounters.total(c.diskReads))));
        put(
                "disk-write-share",
                ratio(
                        sum(all, c -> NodeCounters.total(c.diskWrites)),
                        sum(all, c -> NodeCounters.total(c.diskWrites) + NodeCounters.total(c.diskReads))));
        disk(
                "",
                all,
                c -> NodeCounters.total(c.diskRequests),
                c -> NodeCounters.total(c.diskNanos),
                c -> NodeCounters.total(c.diskBusyNanos));
        for (Cause cause : Cause.values()) {
            int at = cause.index();
            disk("-" + cause.label(), all, c -> c.diskRequests[at], c -> c.diskNanos[at], c -> c.diskBusyNanos[at]);
            put(
                    "disk-write-ms-" + cause.label(),
                    millis(sum(all, c -> c.diskWriteNanos[at]), sum(all, c -> c.diskWriteRequests[at])));
            put(
                    "disk-read-ms-" + cause.label(),
                    millis(sum(all, c -> c.diskReadNanos[at]), sum(all, c -> c.diskReadRequests[at])));
        }
        put(
                "disk-busy-share",
                (double) nodes.stream().mapToLong(DataNode::busyNanos).sum()
                        / (nanos * config.store().disks() * nodes.size()));
        put("longest-queue", (double)
                nodes.stream().mapToInt(DataNode::longestQueue).max().orElse(0));
    }

    private void disk(String of, List<NodeCounters> all, Count requests, Count total, Count busy) {
        long count = sum(all, requests);
        put("disk-requests-per-min" + of, count / minutes / nodes.size());
        put("disk-ms" + of, millis(sum(all, total), count));
        put("disk-queue-ms" + of, millis(sum(all, total) - sum(all, busy), count));
        put("disk-exec-ms" + of, millis(sum(all, busy), count));
    }

    private void money() {
        NodeStoreOptions store = config.store();
        double written = nodes.stream().mapToLong(DataNode::flashBytesWritten).sum() / (double) nodes.size();
        double perYear = written / (minutes * NANOS_PER_MINUTE) * NANOS_PER_YEAR;
        double years =
                perYear == 0 ? Double.POSITIVE_INFINITY : (double) store.flashBytes() * config.flashCycles() / perYear;
        put("flash-writes-mb-per-min", written / MB / minutes);
        put("flash-years", store.flashBytes() == 0 ? Double.NaN : years);
        double capex = config.cost().capex(store.disks(), store.ramBytes(), store.flashBytes());
        double opex = config.cost().opex(store.disks(), store.ramBytes(), store.flashBytes(), years);
        put("capex", capex);
        put("opex", opex);
        put("opex-share", opex / capex);
    }

    private List<Double> hitRates() {
        List<Double> rates = new ArrayList<>();
        if (nodes.size() == 1) {
            HitTimeline timeline = nodes.get(0).timeline();
            long[] reads = timeline.reads();
            long[] hits = timeline.hits();
            for (int i = 0; i < reads.length; i++) {
                rates.add(ratio(hits[i], reads[i]));
            }
        }
        return rates;
    }

    private interface Count {
        long of(NodeCounters counters);
    }

    private static long sum(List<NodeCounters> all, Count count) {
        return all.stream().mapToLong(count::of).sum();
    }

    private void bytes(String name, long bytes) {
        put(name + "-mb-per-min", bytes / MB / minutes / nodes.size());
        put(name + "-tb", tb(bytes));
    }

    /** Returns terabytes that a whole machine moves in all its days. */
    private double tb(long bytes) {
        return bytes / TB / scale.machine() / nodes.size();
    }

    private static double millis(long nanos, long of) {
        return ratio(nanos, of) / 1e6;
    }

    private static double ratio(long part, long of) {
        return of == 0 ? Double.NaN : (double) part / of;
    }

    private void put(String name, double value) {
        metrics.put(name, value);
    }
}
