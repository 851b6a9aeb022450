package io.packing.bdt.master.table.read;

import java.time.Duration;

/** When a blob without live bytes may be collected. Thread-safe. */
public interface CollectionTimes {
    /**
     * How soon the grace period of a blob ends at the earliest; zero: it has ended.
     *
     * @param deadFrom the position from which on the blob has no live bytes
     */
    Duration graceLeft(long deadFrom);

    /** Whether no backup that is kept names the blob. */
    boolean isBackedUp(long deadFrom);
}
