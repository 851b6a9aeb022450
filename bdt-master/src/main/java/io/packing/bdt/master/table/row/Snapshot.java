// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.HistoryName;
import java.util.List;
import java.util.Optional;

/**
 * A position of the mount's log at which a directory is kept, under a name (RFC 0001). What came later is not seen by it.
 *
 * @param directory id
 * @param name among the directory's snapshots; empty: it has none, and clones of the directory, or of one below it, need it
 * @param nextId the first id that was not given out yet
 * @param dropped whether nobody can read it any more, and its rows of the past are being cleaned up
 * @param root the directory when the snapshot was taken; empty in rows of earlier versions, and where only what is below it is asked for
 */
public record Snapshot(
        long directory,
        long position,
        String name,
        long nextId,
        long takenMillis,
        boolean dropped,
        Optional<Inode> root) {
    private static final int VERSION = 1;

    /** Returns whether an inode existed when the snapshot was taken. */
    public boolean sees(Inode inode) {
        // The version before did not note when a directory was made.
        boolean undated = inode.isDirectory() && inode.generation() == 0;
        return undated ? inode.id() < nextId : inode.generation() <= position;
    }

    /** Returns the snapshot as of which a clone is seen; empty: it is seen at present. */
    public static Optional<Snapshot> of(TraversedClone clone) {
        return clone.isPresent()
                ? Optional.empty()
                : Optional.of(new Snapshot(clone.owner(), clone.position(), "", 0, 0, false, Optional.empty()));
    }

    /** Returns the origin of a clone of a directory that this snapshot sees. */
    public Origin origin(Inode seen, List<TraversedClone> passages) {
        return new Origin(seen.id(), directory, position, nextId, passages, seen.origin());
    }

    public byte[] key() {
        return Keys.pair(Keys.SNAPSHOT, directory, position);
    }

    /** Returns the key of its row by name. */
    public byte[] keyByName() {
        return Keys.snapshotName(directory, name);
    }

    /** Returns whether a master took it for the history of its directory (RFC 0031). */
    public boolean isOfHistory() {
        return HistoryName.isOne(name);
    }

    /** Returns this snapshot with the inode of another one in place of an equal one: a hundred thousand of them take less memory. */
    public Snapshot sharing(Optional<Inode> other) {
        return root.equals(other) ? new Snapshot(directory, position, name, nextId, takenMillis, dropped, other) : this;
    }

    public Snapshot named(String newName) {
        return new Snapshot(directory, position, newName, nextId, takenMillis, dropped, root);
    }

    /** Returns whether only clones need it: it has no name. */
    public boolean isHidden() {
        return name.isEmpty();
    }

    public Snapshot drop() {
        return new Snapshot(directory, position, name, nextId, takenMillis, true, root);
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out()
                .byte1(VERSION)
                .text(name)
                .number(nextId)
                .signed(takenMillis)
                .byte1(dropped ? 1 : 0);
        // At the end, where earlier versions do not look.
        root.ifPresent(inode -> out.blob(inode.encode()));
        return out.toBytes();
    }

    public static Snapshot decode(byte[] key, byte[] row) {
        Bytes.In in = new Bytes.In(row);
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException("snapshot of version " + version);
        }
        return new Snapshot(
                Keys.number(key),
                Keys.secondNumber(key),
                in.text(),
                in.number(),
                in.signed(),
                in.byte1() == 1,
                in.hasMore() ? Optional.of(Inode.decode(in.blob())) : Optional.empty());
    }
}
