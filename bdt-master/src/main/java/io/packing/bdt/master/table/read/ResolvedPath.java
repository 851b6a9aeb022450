// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.TraversedClone;
import java.util.List;
import java.util.Optional;

/**
 * The entry to which a path leads.
 *
 * @param problem {@link Outcome#DONE} when the parent exists, else the reason why it does not
 * @param parent id of the directory that holds, or could hold, the entry
 * @param snapshot as of which the parent is seen, in the past or through a clone; empty: at present
 * @param passages the clones that the entry is seen through, from itself up
 */
public record ResolvedPath(
        Outcome problem,
        long parent,
        String name,
        Optional<Inode> inode,
        Optional<Snapshot> snapshot,
        List<TraversedClone> passages) {
    public ResolvedPath {
        passages = List.copyOf(passages);
    }

    /** Makes one of an entry that is seen through no clone. */
    ResolvedPath(Outcome problem, long parent, String name, Optional<Inode> inode, Optional<Snapshot> snapshot) {
        this(problem, parent, name, inode, snapshot, List.of());
    }

    public static ResolvedPath nothing(Outcome problem, View in, String name) {
        return new ResolvedPath(problem, in.directory(), name, Optional.empty(), in.snapshot());
    }

    static ResolvedPath of(Optional<View.Seen> seen, View in, String name) {
        return seen.isEmpty()
                ? nothing(Outcome.DONE, in, name)
                : new ResolvedPath(
                        Outcome.DONE,
                        seen.get().parent(),
                        name,
                        Optional.of(seen.get().inode()),
                        seen.get().snapshot(),
                        seen.get().passages());
    }

    /** Returns the entry; there must be one. */
    public View.Seen seen() {
        return new View.Seen(inode.orElseThrow(), parent, snapshot, passages);
    }

    Inheritance shown() {
        return Inheritance.of(snapshot, passages);
    }

    /** Returns the reason why the path leads to no entry. */
    public Outcome whyAbsent() {
        return problem == Outcome.NOT_A_DIRECTORY ? problem : Outcome.NOT_FOUND;
    }

    /** Returns whether the entry is, or would be, one that can be changed where it is. */
    public boolean isPresent() {
        return snapshot.isEmpty();
    }

    /** Returns the place where the entry is, or would be. */
    public EntryLink link() {
        return new EntryLink(parent, name);
    }

    /** Returns whether this and another name lead to one file. Until a clone changes a file, it has the id of the one in the origin. */
    public boolean isOneFileWith(ResolvedPath other) {
        return inode.isPresent()
                && other.inode().isPresent()
                && inode.get().extras().links() > 1
                && inode.get().id() == other.inode().get().id()
                && shown().equals(other.shown());
    }
}
