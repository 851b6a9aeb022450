// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Origin;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.TraversedClone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A directory, and the snapshot and the clones through which a reader sees it.
 *
 * @param origin where names lead that it has no entry of
 * @param snapshot as of which; empty: at present
 * @param passages the clones that it is seen through, from itself up
 */
public record View(
        long directory, Optional<Origin> origin, Optional<Snapshot> snapshot, List<TraversedClone> passages) {
    public static final View ROOT = present(Inode.ROOT_ID);

    public View {
        passages = List.copyOf(passages);
    }

    static View of(Inode directory, Optional<Snapshot> snapshot, List<TraversedClone> passages) {
        return new View(directory.id(), directory.origin(), snapshot, passages);
    }

    static View of(Inode directory, Optional<Snapshot> snapshot) {
        return of(directory, snapshot, List.of());
    }

    public static View present(Inode directory) {
        return of(directory, Optional.empty());
    }

    /** A directory that is no clone. */
    public static View present(long directory) {
        return new View(directory, Optional.empty(), Optional.empty(), List.of());
    }

    /** Returns the directory of the origin as it is seen through this one. */
    View behind() {
        Origin behind = origin.orElseThrow();
        List<TraversedClone> way = new ArrayList<>();
        behind.passages().forEach(each -> way.add(asOf(each)));
        way.addAll(passages);
        Snapshot kept =
                new Snapshot(behind.owner(), behind.position(), "", behind.nextId(), 0, false, Optional.empty());
        return new View(behind.directory(), behind.next(), Optional.of(kept), way);
    }

    /** Returns a clone as it is seen from here: as of the snapshot, unless it was kept before. */
    private TraversedClone asOf(TraversedClone clone) {
        return clone.isPresent() && snapshot.isPresent()
                ? new TraversedClone(
                        clone.cloneId(),
                        snapshot.get().directory(),
                        snapshot.get().position())
                : clone;
    }

    /** Returns whether the origin is not searched for a name any more, given the position from which on it is not. */
    boolean isGone(long since) {
        return snapshot.isEmpty() || since <= snapshot.get().position();
    }

    /**
     * A found entry.
     *
     * @param parent id of the directory that has it
     * @param snapshot as of which it is seen; empty: at present
     * @param passages the clones that it is seen through, from itself up
     */
    public record Seen(Inode inode, long parent, Optional<Snapshot> snapshot, List<TraversedClone> passages) {
        public Seen {
            passages = List.copyOf(passages);
        }

        /** The directory that was found. */
        View inside() {
            return of(inode, snapshot, passages);
        }

        Inheritance shown() {
            return Inheritance.of(snapshot, passages);
        }
    }
}
