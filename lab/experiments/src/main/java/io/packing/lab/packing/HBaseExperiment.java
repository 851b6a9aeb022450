// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableMap;
import io.packing.cli.launch.Narrator;
import io.packing.hbase.HBaseCluster;
import io.packing.hbase.HBaseRoot;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.hbase.ZooKeeper;
import io.packing.hbase.load.YcsbLoad;
import io.packing.hbase.load.YcsbResult;
import io.packing.lab.compare.Median;
import io.packing.rig.Checkout;
import io.packing.rig.DirectoryRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * HBase with its root directory on a packing mount, beside HBase on HDFS, under YCSB with the mix of Facebook Messages. The sides
 * take turns; each turn is a new HBase in an empty directory, with one RegionServer. HDFS keeps one copy of a block, as the
 * worker of the mount does of a file before it is pushed.
 *
 * @param load what YCSB does in each turn
 * @param warmUp operations before those that are timed
 * @param rounds turns of each side
 * @param acknowledged where an edit is
 */
public record HBaseExperiment(YcsbLoad load, int warmUp, int rounds, Acknowledged acknowledged, Narrator narrator) {
    public HBaseExperiment {
        if (warmUp < 0 || rounds < 1) {
            throw new IllegalArgumentException("--warm-up from 0, --rounds from 1");
        }
    }

    /** The places where each side has an edit when HBase acknowledges it. */
    public enum Acknowledged {
        /** HDFS has it in memory, and the mount on two disks, as both ship. */
        SHIPPED(ImmutableMap.of(), ImmutableMap.of(), ImmutableMap.of()),
        /** Both have it in memory: the mount has {@code packing.durability=buffered}. */
        MEMORY(
                ImmutableMap.of("packing.durability", "buffered"),
                ImmutableMap.of(
                        "hbase.master.store.region.wal.hsync",
                        "false",
                        "hbase.unsafe.stream.capability.enforce",
                        "false"),
                ImmutableMap.of()),
        /** Both have it on a disk: HBase calls {@code hsync}. */
        DISK(ImmutableMap.of(), ImmutableMap.of(), ImmutableMap.of("hbase.wal.hsync", "true"));

        private final ImmutableMap<String, String> ofMount;
        private final ImmutableMap<String, String> onMount;
        private final ImmutableMap<String, String> onBoth;

        /**
         * @param ofMount options of the mount, which it has before HBase comes
         * @param onMount settings of the HBase that is on the mount
         * @param onBoth settings of both HBases
         */
        Acknowledged(
                ImmutableMap<String, String> ofMount,
                ImmutableMap<String, String> onMount,
                ImmutableMap<String, String> onBoth) {
            this.ofMount = ofMount;
            this.onMount = onMount;
            this.onBoth = onBoth;
        }
    }

    /**
     * One side.
     *
     * @param operationsPerSecond the median of the runs
     * @param failures operations of all runs that did not end well
     */
    public record Side(
            @JsonProperty("operations_per_second") double operationsPerSecond,
            @JsonProperty("runs") List<Double> runs,
            @JsonProperty("failures") long failures) {}

    /** The result of the experiment. */
    public record Result(
            @JsonProperty("records") int records,
            @JsonProperty("operations") int operations,
            @JsonProperty("clients") int clients,
            @JsonProperty("packing") Side packing,
            @JsonProperty("hdfs") Side hdfs,
            @JsonProperty("ratio") double ratio) {
        public boolean isClean() {
            return packing.failures + hdfs.failures == 0;
        }

        /** For people. */
        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%-10s %,10.0f operations a second%n%-10s %,10.0f operations a second%n%-10s %10.2f%n",
                    "packing",
                    packing.operationsPerSecond,
                    "HDFS",
                    hdfs.operationsPerSecond,
                    "ratio",
                    ratio);
        }
    }

    /** The runs of a side so far. */
    private static final class Runs {
        private final List<Double> perSecond = new ArrayList<>();
        private long failures;

        private void add(YcsbResult result) {
            perSecond.add(result.operationsPerSecond());
            failures += result.failures();
        }

        private Side side() {
            return new Side(Median.of(perSecond), List.copyOf(perSecond), failures);
        }
    }

    /** Runs it. */
    public Result run(Checkout checkout, Workspace workspace) throws IOException, InterruptedException {
        narrator.accept("starting HDFS, ZooKeeper, a BDT master and a worker");
        ZooKeeper zooKeeper = workspace.own(ZooKeeper.start(setup(checkout, workspace, "zookeeper")));
        HdfsCluster hdfs = workspace.own(HdfsCluster.start(setup(checkout, workspace, "hdfs"), 1));
        DirectoryRig rig = DirectoryRig.start(workspace, acknowledged.ofMount);
        Runs packed = new Runs();
        Runs direct = new Runs();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            String name = "round-" + round;
            HBaseRoot packing = packing(checkout, workspace, rig, name);
            YcsbResult first = round % 2 == 0 ? turn(packing, zooKeeper, name) : turn(hdfs, zooKeeper, name);
            YcsbResult second = round % 2 == 0 ? turn(hdfs, zooKeeper, name) : turn(packing, zooKeeper, name);
            YcsbResult ours = round % 2 == 0 ? first : second;
            YcsbResult theirs = round % 2 == 0 ? second : first;
            packed.add(ours);
            direct.add(theirs);
            ratios.add(ours.operationsPerSecond() / theirs.operationsPerSecond());
            hdfs.clear();
        }
        return new Result(
                load.records(), load.operations(), load.clients(), packed.side(), direct.side(), Median.of(ratios));
    }

    private static Setup setup(Checkout checkout, Workspace workspace, String part) {
        return new Setup(checkout.hbaseLib(), workspace.directory().resolve(part));
    }

    private HBaseRoot packing(Checkout checkout, Workspace workspace, DirectoryRig rig, String name)
            throws IOException {
        String files = "packing://" + rig.masterAddress();
        Map<String, String> settings = Map.of(
                "fs.defaultFS", files, "packing.store", rig.mountOptions().get("packing.store"));
        return new HBaseRoot(
                        setup(checkout, workspace, "packing-" + name),
                        files + "/" + name,
                        settings,
                        List.of(checkout.hadoopJar()))
                .with(acknowledged.onMount)
                .with(acknowledged.onBoth);
    }

    private YcsbResult turn(HBaseRoot root, ZooKeeper zooKeeper, String name) throws IOException, InterruptedException {
        String side = name + "-packing";
        return turn(HBaseCluster.start(root, zooKeeper, side, 1, Optional.empty()), side);
    }

    private YcsbResult turn(HdfsCluster hdfs, ZooKeeper zooKeeper, String name)
            throws IOException, InterruptedException {
        String side = name + "-hdfs";
        return turn(
                HBaseCluster.start(HBaseRoot.in(hdfs).with(acknowledged.onBoth), zooKeeper, side, 1, Optional.empty()),
                side);
    }

    private YcsbResult turn(HBaseCluster started, String name) throws IOException, InterruptedException {
        try (HBaseCluster hbase = started) {
            narrator.accept(
                    "%s: %,d rows, then %,d gets, puts and deletes".formatted(name, load.records(), load.operations()));
            hbase.load(load, done -> {});
            if (warmUp > 0) {
                hbase.run(load.warmUp(warmUp), done -> {});
            }
            YcsbResult result = hbase.run(load, done -> {});
            narrator.accept(String.format(Locale.ROOT, "%,.0f operations a second", result.operationsPerSecond()));
            hbase.shutDown();
            return result;
        }
    }
}
