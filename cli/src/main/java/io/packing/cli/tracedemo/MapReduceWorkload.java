package io.packing.cli.tracedemo;

import io.packing.cli.rig.Narrator;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.TeraJobs;
import io.packing.hbase.Tracing;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** Hadoop's own benchmark as MapReduce jobs: rows are written, sorted and checked. Throughput is rows over all three. */
record MapReduceWorkload(int rows, Narrator narrator, InstantSource clock) implements Workload {
    @Override
    public Throughput run(HdfsCluster hdfs, String run, Optional<Tracing> tracing)
            throws IOException, InterruptedException {
        var jobs = new TeraJobs(hdfs, run, tracing, Optional.empty());
        narrator.accept("%s: MapReduce, %s: writing %,d rows of 100 bytes"
                .formatted(run, tracing.isPresent() ? "traced" : "not traced", rows));
        long start = clock.millis();
        jobs.generate(rows);
        narrator.accept("sorting them");
        jobs.sort();
        narrator.accept("checking their order");
        jobs.validate();
        double seconds = Math.max(1, clock.millis() - start) / 1000.0;
        return new Throughput(rows / seconds, 0);
    }
}
