package io.packing.cli.tracedemo;

import io.packing.cli.rig.Narrator;
import io.packing.hbase.HBaseCluster;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Tracing;
import io.packing.hbase.ZooKeeper;
import io.packing.hbase.load.LoadResult;
import io.packing.hbase.load.LoadSpec;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** A new HBase under the load of Facebook Messages (§3.1, Table 3.2): 60 percent gets, 34 puts, 6 deletes. */
record HBaseWorkload(ZooKeeper zooKeeper, LoadSpec load, int warmUp, int regionServers, Narrator narrator)
        implements Workload {
    @Override
    public Throughput run(HdfsCluster hdfs, String run, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        narrator.accept("%s: starting HBase, %s: a master and %d RegionServer(s)"
                .formatted(run, tracing.isPresent() ? "traced" : "not traced", regionServers));
        try (var hbase = HBaseCluster.start(hdfs, zooKeeper, run, regionServers, tracing)) {
            var rows = rows(hbase);
            long failures = rows.failures() + (warmUp == 0 ? 0 : warmUp(hbase).failures());
            var requests = requests(hbase);
            narrator.accept("flushing and compacting");
            hbase.settle();
            narrator.accept("shutting HBase down");
            hbase.shutDown();
            return new Throughput(requests.operationsPerSecond(), failures + requests.failures());
        }
    }

    private LoadResult rows(HBaseCluster hbase) throws IOException, InterruptedException {
        narrator.accept("making %,d users".formatted(load.records()));
        try (var bar = narrator.bar("users", load.records())) {
            return hbase.load(load, bar::stepTo);
        }
    }

    private LoadResult warmUp(HBaseCluster hbase) throws IOException, InterruptedException {
        narrator.accept("%,d gets, puts and deletes that are not timed".formatted(warmUp));
        try (var bar = narrator.bar("warm-up", warmUp)) {
            return hbase.run(load.warmUp(warmUp), bar::stepTo);
        }
    }

    private LoadResult requests(HBaseCluster hbase) throws IOException, InterruptedException {
        narrator.accept("%,d gets, puts and deletes by %d clients".formatted(load.operations(), load.clients()));
        try (var bar = narrator.bar("requests", load.operations())) {
            var result = hbase.run(load, bar::stepTo);
            narrator.accept("%,.0f requests per second, mean latencies in microseconds: %s"
                    .formatted(result.operationsPerSecond(), latencies(result)));
            return result;
        }
    }

    private static String latencies(LoadResult result) {
        var words = new StringBuilder();
        new java.util.TreeMap<>(result.meanMicros())
                .forEach((kind, micros) -> words.append("%s %.0f ".formatted(kind.toLowerCase(Locale.ROOT), micros)));
        return words.toString().strip();
    }
}
