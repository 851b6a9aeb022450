// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

/**
 * The replicas of HDFS and their use by HBase (§3.2.2, §3.5).
 *
 * @param blockBytes size of the local files that a file is cut into
 * @param replicas of a file; the first is on the machine that writes
 * @param nodes machines in the ring; replica r of machine i's data is on machine (i + r) mod nodes
 * @param observed the one simulated machine, or {@link #ALL}
 */
public record HdfsOptions(long blockBytes, int replicas, Architecture architecture, int nodes, int observed) {
    /** The value for simulating every machine. */
    public static final int ALL = -1;

    /** The place of the database's computation (Fig. 3.16). */
    public enum Architecture {
        /** The database is above the replication: all its writes cross the network. */
        MID_REPLICATED,
        /** The replicas do compactions themselves, by local reads and writes (§3.5.2). */
        MID_BYPASS,
        /** The database itself is replicated: only its log crosses the network. */
        TOP_REPLICATED
    }

    public HdfsOptions {
        if (blockBytes < 1 || blockBytes > 1L << 34) {
            throw new IllegalArgumentException("hdfs.block: from 1 byte to 16 GiB, not " + blockBytes);
        }
        if (replicas < 1 || replicas > 100) {
            throw new IllegalArgumentException("hdfs.replicas: from 1 to 100, not " + replicas);
        }
        if (nodes < 1) {
            throw new IllegalArgumentException("hdfs.nodes: 1 at least, not " + nodes);
        }
        if (observed < ALL || observed >= nodes) {
            throw new IllegalArgumentException(
                    "hdfs.observe: 'all' or from 0 to %d, not %d".formatted(nodes - 1, observed));
        }
    }
}
