// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import io.packing.cli.launch.Narrator;
import io.packing.hbase.HBaseCluster;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Tracing;
import io.packing.hbase.ZooKeeper;
import io.packing.hbase.load.YcsbLoad;
import io.packing.hbase.load.YcsbResult;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBar;

/** A new HBase under the load of Facebook Messages (§3.1, Table 3.2): 60 percent gets, 34 puts, 6 deletes. */
record HBaseWorkload(ZooKeeper zooKeeper, YcsbLoad load, int warmUp, int regionServers, Narrator narrator)
        implements HdfsWorkload {
    @Override
    public Session start(HdfsCluster hdfs, String name, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        narrator.accept("%s: starting HBase, a master and %d RegionServer(s)".formatted(name, regionServers));
        Messages messages = new Messages(hdfs, HBaseCluster.start(hdfs, zooKeeper, name, regionServers, tracing), name);
        try {
            messages.makeReady();
            return messages;
        } catch (IOException | InterruptedException | RuntimeException e) {
            messages.close();
            throw e;
        }
    }

    /** The table of messages, in a running HBase. */
    private final class Messages implements Session {
        private final HdfsCluster hdfs;
        private final HBaseCluster hbase;
        private final String name;
        private int turns;
        private long failures;

        Messages(HdfsCluster hdfs, HBaseCluster hbase, String name) {
            this.hdfs = hdfs;
            this.hbase = hbase;
            this.name = name;
        }

        private void makeReady() throws IOException, InterruptedException {
            narrator.accept("making %,d users".formatted(load.records()));
            try (ProgressBar bar = narrator.bar("users", load.records())) {
                failures += hbase.load(load, bar::stepTo).failures();
            }
            if (warmUp > 0) {
                run("not timed", "warm-up", load.warmUp(warmUp));
            }
        }

        @Override
        public Turn turn() throws IOException, InterruptedException {
            Duration before = cpu();
            YcsbResult result = run("by %d clients".formatted(load.clients()), "requests", load.turn(turns++));
            Duration taken = cpu().minus(before);
            narrator.accept("%,.0f requests per second, mean latencies in microseconds: %s"
                    .formatted(result.operationsPerSecond(), latencies(result)));
            return new Turn(result.operationsPerSecond(), taken);
        }

        /** Returns the processor time of the servers since their start. */
        private Duration cpu() {
            return Stream.concat(hdfs.processes().stream(), hbase.processes().stream())
                    .map(JavaProcess::cpu)
                    .reduce(Duration.ZERO, Duration::plus);
        }

        private YcsbResult run(String how, String label, YcsbLoad what) throws IOException, InterruptedException {
            narrator.accept("%s: %,d gets, puts and deletes, %s".formatted(name, what.operations(), how));
            try (ProgressBar bar = narrator.bar(label, what.operations())) {
                YcsbResult result = hbase.run(what, bar::stepTo);
                failures += result.failures();
                return result;
            }
        }

        @Override
        public long end() throws IOException, InterruptedException {
            narrator.accept("%s: flushing, compacting and shutting HBase down".formatted(name));
            hbase.settle();
            hbase.shutDown();
            return failures;
        }

        @Override
        public void close() {
            hbase.close();
        }
    }

    private static String latencies(YcsbResult result) {
        StringBuilder words = new StringBuilder();
        new TreeMap<>(result.meanMicros())
                .forEach((kind, micros) -> words.append("%s %.0f ".formatted(kind.toLowerCase(Locale.ROOT), micros)));
        return words.toString().strip();
    }
}
