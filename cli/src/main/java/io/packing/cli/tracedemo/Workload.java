package io.packing.cli.tracedemo;

import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Tracing;
import java.io.IOException;
import java.util.Optional;

/** Something that runs on an empty HDFS, traced or not, ends all its processes, and leaves its files there. */
interface Workload {
    /**
     * Runs it once.
     *
     * @param run tells this run's logs from others'
     */
    Throughput run(HdfsCluster hdfs, String run, Optional<Tracing> tracing) throws IOException, InterruptedException;

    /**
     * What it got done.
     *
     * @param failures operations that did not end well
     */
    record Throughput(double perSecond, long failures) {}
}
