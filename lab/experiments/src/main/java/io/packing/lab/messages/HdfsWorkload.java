// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Tracing;
import java.io.IOException;
import java.util.Optional;

/** Something that runs on an empty HDFS of its own, traced or not, and leaves its files there. */
interface HdfsWorkload {
    /**
     * Starts what it needs and makes it ready to be timed.
     *
     * @param name tells its logs from others'
     */
    Session start(HdfsCluster hdfs, String name, Optional<Tracing> tracing) throws IOException, InterruptedException;

    /** A workload that is ready. */
    interface Session extends AutoCloseable {
        /** Does the load of one turn. */
        Turn turn() throws IOException, InterruptedException;

        /**
         * Ends all its processes in good order, every file closed.
         *
         * @return operations that did not end well, those before the first turn included
         */
        long end() throws IOException, InterruptedException;

        /** Stops what still runs. */
        @Override
        void close();
    }
}
