// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import io.packing.cli.launch.Narrator;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.TeraJobs;
import io.packing.hbase.Tracing;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Hadoop's own benchmark as MapReduce jobs: rows are written, sorted and checked. Throughput is rows over all three. */
record MapReduceWorkload(int rows, Narrator narrator, Clock clock) implements HdfsWorkload {
    @Override
    public Session start(HdfsCluster hdfs, String name, Optional<Tracing> tracing) {
        return new Jobs(new TeraJobs(hdfs, name, tracing, Optional.empty()), name);
    }

    /** Each job is a process of its own and has ended when it returns. */
    private final class Jobs implements Session {
        private final TeraJobs jobs;
        private final String name;

        Jobs(TeraJobs jobs, String name) {
            this.jobs = jobs;
            this.name = name;
        }

        @Override
        public Turn turn() throws IOException, InterruptedException {
            narrator.accept("%s: MapReduce, writing %,d rows of 100 bytes".formatted(name, rows));
            long start = clock.millis();
            jobs.generate(rows);
            narrator.accept("sorting them");
            jobs.sort();
            narrator.accept("checking their order");
            jobs.validate();
            return new Turn(rows * 1000.0 / Math.max(1, clock.millis() - start), Duration.ZERO);
        }

        @Override
        public long end() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
