// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

import io.packing.sim.Cause;

/** The counts of HDFS clients' calls, by cause; bytes unless the name says otherwise. */
public final class HdfsCounters {
    private static final int CAUSES = Cause.values().length;

    /** The bytes read on the observed machines. */
    public final long[] reads = new long[CAUSES];

    public final long[] writes = new long[CAUSES];

    public long events;
    /** The events of calls that this version does not know. */
    public long unknown;
    /** The failed calls: they moved no bytes. */
    public long failed;
    /** The calls that change files in ways outside the model: truncate, concat, links. */
    public long unmodelled;
    /** The reads and writes without an offset. */
    public long placeless;
    /** The events that came too late to be put in order; their time is that of their arrival. */
    public long late;
    /**
     * The bytes expected at the observed machines by the arithmetic of replication, for a check against their counters.
     */
    public long localReads;

    public long localWrites;
    public long network;
}
