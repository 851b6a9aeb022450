package io.packing.sim.hdfs;

import io.packing.sim.Cause;

/** What the clients of HDFS did, by cause; bytes unless the name says otherwise. */
public final class HdfsCounters {
    private static final int CAUSES = Cause.values().length;

    /** Of the observed machines. */
    public final long[] reads = new long[CAUSES];

    public final long[] writes = new long[CAUSES];

    public long events;
    /** Events of calls that this version does not know. */
    public long unknown;
    /** Calls that failed: they moved nothing. */
    public long failed;
    /** Calls that change files in ways that are not modelled: truncate, concat, links. */
    public long unmodelled;
    /** Reads and writes that do not say where in the file. */
    public long placeless;
    /** Events that came too late to be put in order; they are taken to happen when they came. */
    public long late;
    /** Bytes expected at the observed machines, by the arithmetic of replication: checked against what they got. */
    public long localReads;

    public long localWrites;
    public long network;
}
