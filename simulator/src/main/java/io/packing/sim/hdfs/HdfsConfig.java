package io.packing.sim.hdfs;

/**
 * How HDFS places and HBase uses replicas (§3.2.2, §3.5).
 *
 * @param blockBytes a file is cut into local files of this size
 * @param replicas the first is on the machine that writes
 * @param nodes machines in the ring; replica r of machine i's data is on machine (i + r) mod nodes
 * @param observed the one machine that is simulated, or {@link #ALL}
 */
public record HdfsConfig(long blockBytes, int replicas, Architecture architecture, int nodes, int observed) {
    /** Every machine is simulated. */
    public static final int ALL = -1;

    /** Where the database computes (Fig. 3.16). */
    public enum Architecture {
        /** The database is above the replication: all it writes crosses the network. */
        MID_REPLICATED,
        /** Compaction is sent to the replicas, which read and write locally (§3.5.2). */
        MID_BYPASS,
        /** The database itself is replicated: only its log crosses the network. */
        TOP_REPLICATED
    }

    public HdfsConfig {
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
