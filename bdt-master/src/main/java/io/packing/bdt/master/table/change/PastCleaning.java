// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Keys;

/**
 * The rows of the past that were cleaned up after dropped snapshots, as far as is known: to skip those again takes long. Confined to the
 * writer thread.
 */
public final class PastCleaning {
    private byte[] cleaned = new byte[0];
    private byte[] cleanedInside = new byte[0];

    /** Returns the first row by position that was not cleaned up yet. */
    public byte[] resumeAt(long position) {
        return isResumed(position) ? cleaned : Keys.numbered(Keys.BY_POSITION, position);
    }

    /** Returns whether rows of a position were cleaned up already. */
    public boolean isResumed(long position) {
        return cleaned.length > 0 && Keys.number(cleaned) == position;
    }

    /** Learns that all rows by position up to this one were cleaned up. */
    public void cleanedUpTo(byte[] key) {
        cleaned = key;
        cleanedInside = new byte[0];
    }

    /** Forgets what was cleaned up. */
    public void beginAnew() {
        cleanedUpTo(new byte[0]);
    }

    /** Returns the first row of the past in a directory that was not looked at yet for cleaning up. */
    public byte[] resumeInside(long directory) {
        boolean isResumed = cleanedInside.length > 0 && Keys.number(cleanedInside) == directory;
        return isResumed ? cleanedInside : Keys.pastOf(Keys.entries(directory));
    }

    /** Learns that the rows of the past of a directory were looked at up to this one. */
    public void cleanedInsideUpTo(byte[] key) {
        cleanedInside = Keys.after(key);
    }

    /** Learns that a directory has nothing to clean up any more. */
    void endedInside() {
        cleanedInside = new byte[0];
    }
}
