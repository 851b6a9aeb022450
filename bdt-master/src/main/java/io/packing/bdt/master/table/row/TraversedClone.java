// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * A clone of a tree that an entry is seen through. The clone may have a file of its own in the place of one with several names
 * (RFC 0009).
 *
 * @param cloneId id of the directory that was made as the clone
 * @param owner the directory that was kept at the position
 * @param position as of which the clone is seen; 0: as the directory is that has this passage, or at present
 */
public record TraversedClone(long cloneId, long owner, long position) {
    /** Returns a clone that is seen as it is at present. */
    public static TraversedClone through(long cloneId) {
        return new TraversedClone(cloneId, 0, 0);
    }

    public boolean isPresent() {
        return position == 0;
    }
}
