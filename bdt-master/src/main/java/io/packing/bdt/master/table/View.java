package io.packing.bdt.master.table;

import java.util.Optional;

/**
 * A directory as somebody looks into it.
 *
 * @param origin where names lead that it has no entry of
 * @param snapshot as of which; empty: at present
 */
record View(long directory, Optional<Origin> origin, Optional<Snapshot> snapshot) {
    static final View ROOT = new View(Inode.ROOT_ID, Optional.empty(), Optional.empty());

    static View of(Inode directory, Optional<Snapshot> snapshot) {
        return new View(directory.id(), directory.origin(), snapshot);
    }

    static View present(Inode directory) {
        return of(directory, Optional.empty());
    }

    /** Whether a name is not looked for in the origin any more, given the position from which on it is not. */
    boolean isGone(long since) {
        return snapshot.isEmpty() || since <= snapshot.get().position();
    }

    /**
     * An entry that was found.
     *
     * @param parent id of the directory that has it
     * @param snapshot as of which it is seen; empty: at present
     */
    record Seen(Inode inode, long parent, Optional<Snapshot> snapshot) {
        /** The directory that was found. */
        View inside() {
            return of(inode, snapshot);
        }
    }
}
