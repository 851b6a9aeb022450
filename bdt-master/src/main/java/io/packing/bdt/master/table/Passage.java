package io.packing.bdt.master.table;

import java.util.Optional;

/**
 * A clone of a tree that an entry is seen through. The clone may have a file of its own in the place of one with several names
 * (RFC 0009).
 *
 * @param cloneId id of the directory that was made as the clone
 * @param owner the directory that was kept at the position
 * @param position as of which the clone is seen; 0: as the directory is that has this passage, or at present
 */
record Passage(long cloneId, long owner, long position) {
    /** Through a clone as it is whenever somebody looks. */
    static Passage through(long cloneId) {
        return new Passage(cloneId, 0, 0);
    }

    boolean isPresent() {
        return position == 0;
    }

    /** What it is for somebody who sees its directory at a snapshot. */
    Passage asOf(Optional<Snapshot> snapshot) {
        return isPresent() && snapshot.isPresent()
                ? new Passage(
                        cloneId, snapshot.get().directory(), snapshot.get().position())
                : this;
    }

    /** As of which the clone is seen; empty: at present. */
    Optional<Snapshot> snapshot() {
        return isPresent()
                ? Optional.empty()
                : Optional.of(new Snapshot(owner, position, "", 0, 0, false, Optional.empty()));
    }
}
