// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.FileVersion;

/**
 * A recovery from the backing store, or a gap that a start after a crash left in the numbers of a table.
 *
 * @param at the position that it jumped to: claims that it lost came before, and sessions from before it are unknown
 * @param firstId ids from this one on were leased after it
 * @param backup position of the backup that it started from, which knew all until there; 0: none
 * @param fromId ids before this one, and at or after {@code firstId}, are those of no claim without a position that it may have
 *     lost; 0 for recoveries
 */
public record Recovered(long at, long firstId, long backup, long fromId) {
    public Recovered {
        if (at < 0 || firstId < 0 || backup < 0 || backup > at || fromId < 0) {
            throw new Bytes.MalformedException("recovery at %d from a backup at %d, first id %d, from id %d"
                    .formatted(at, backup, firstId, fromId));
        }
    }

    /** Makes a recovery. */
    public Recovered(long at, long firstId, long backup) {
        this(at, firstId, backup, 0);
    }

    /** Returns the gap that a jump leaves. */
    public static Recovered gap(Reached before, Reached after) {
        return new Recovered(after.position(), after.nextId(), before.position(), before.nextId());
    }

    /** Returns whether a position is one of those that were skipped. */
    public boolean skips(long position) {
        return position > backup && position <= at;
    }

    /**
     * Returns whether this may have lost a version.
     *
     * @param floor of the session row of the worker that still has the version
     */
    public boolean mayHaveLost(FileVersion version, long floor) {
        boolean claimedWithin = version.generation() == 0 ? version.id() >= fromId : skips(version.generation());
        // A worker that has told that it named everything had nothing else.
        return claimedWithin && version.id() < firstId && floor <= at;
    }
}
