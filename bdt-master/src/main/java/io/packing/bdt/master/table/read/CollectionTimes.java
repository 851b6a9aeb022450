// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import java.time.Duration;

/** The times at which blobs without live bytes may be collected. Thread-safe. */
public interface CollectionTimes {
    /**
     * Returns how soon the grace period of a blob ends at the earliest; zero: it has ended.
     *
     * @param deadFrom the position from which on the blob has no live bytes
     */
    Duration graceLeft(long deadFrom);

    /** Returns whether no backup that is kept names the blob. */
    boolean isBackedUp(long deadFrom);
}
