// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The maps of files in rows, which belong to fragmented files (RFC 0020). A change of a map decides which form the map has from then on.
 * Confined to the writer thread.
 */
public final class FragmentedMaps {
    private final WriteSet rows;
    private final Contents contents;
    private final MapForm form;

    FragmentedMaps(WriteSet rows, Contents contents, MapForm form) {
        this.rows = rows;
        this.contents = contents;
        this.form = form;
    }

    /** Replaces a range of a fragmented file by another map, holes included; returns by how many references its map has more. */
    int put(long inode, long offset, long length, ReferenceMap replacement) throws IOException {
        MapRows.Changed changed = MapRows.put(rows, inode, offset, length, replacement);
        contents.spliced(inode, changed);
        return changed.more();
    }

    /** Returns a file with the form that its map should have; the rows of the map have it then. */
    Inode settled(Inode file) throws IOException {
        if (file.place() instanceof Inode.Fragmented fragmented) {
            return fragmented.references() < form.leastInRows() ? inEntry(file) : file;
        }
        ReferenceMap map = ((Inode.Mapped) file.place()).map();
        List<Reference> references = map.references();
        if (references.size() <= form.mostInEntry()) {
            return file;
        }
        rows.effort().allowMap(references.size());
        if (rows.get(gone(file.id())).isPresent()) {
            // A file of this id was deleted lately, and is back.
            removeAll(file.id());
        }
        contents.refer(file.id(), map, true);
        MapRows.Changed unused = MapRows.replace(rows, file.id(), List.of(), references);
        return file.at(new Inode.Fragmented(references.size()));
    }

    /** Returns a file with its map in its entry, and removes the rows of the map. */
    Inode inEntry(Inode file) throws IOException {
        if (!(file.place() instanceof Inode.Fragmented fragmented)) {
            return file;
        }
        rows.effort().allowMap((int) Math.min(Integer.MAX_VALUE, fragmented.references()));
        List<Reference> references = MapRows.first(rows, file.id(), Integer.MAX_VALUE);
        ReferenceMap map = ReferenceMap.of(references);
        MapRows.Changed unused = MapRows.replace(rows, file.id(), references, List.of());
        contents.refer(file.id(), map, false);
        return file.at(new Inode.Mapped(map));
    }

    /** Gives a file that has a map another one, and other attributes, whose length quotas count already. */
    public Inode remap(Transaction transaction, EntryLink at, Inode before, Inode after) throws IOException {
        if (!(Inode.hasMap(before.place()) && after.place() instanceof Inode.Mapped now)) {
            throw new IllegalStateException("inode %d has no map".formatted(before.id()));
        }
        Inode unused = transaction.past().beforeChange(at, before);
        ReferenceMap old = ((Inode.Mapped) inEntry(before).place()).map();
        contents.changed(before.id(), old, now.map());
        Inode settled = settled(after);
        transaction.replace(at.parent(), at.name(), before, settled);
        return settled;
    }

    /** A fragmented file is gone: its references follow, a bounded number at a time. */
    void left(long inode) throws IOException {
        rows.put(gone(inode), new byte[0]);
        remove(inode);
    }

    private static byte[] gone(long inode) {
        return Keys.pair(Keys.MAP, 0, inode);
    }

    private void remove(long inode) throws IOException {
        List<Reference> some = MapRows.first(rows, inode, form.rowsPerStep());
        contents.spliced(inode, MapRows.replace(rows, inode, some, List.of()));
        if (some.size() < form.rowsPerStep()) {
            rows.delete(gone(inode));
        }
    }

    private void removeAll(long inode) throws IOException {
        List<Reference> all = MapRows.first(rows, inode, Integer.MAX_VALUE);
        contents.spliced(inode, MapRows.replace(rows, inode, all, List.of()));
        rows.delete(gone(inode));
    }

    /** Returns whether references of a file that is gone are still there. */
    public static boolean isDue(Rows rows) throws IOException {
        return first(rows).isPresent();
    }

    private static Optional<Long> first(Rows rows) throws IOException {
        return rows.firstKey(Keys.pair(Keys.MAP, 0, 0), Keys.numbered(Keys.MAP, 1))
                .map(Keys::secondNumber);
    }

    /** Removes some references of a file that is gone; returns whether there were any. */
    public boolean step() throws IOException {
        Optional<Long> inode = first(rows);
        if (inode.isPresent()) {
            remove(inode.get());
        }
        return inode.isPresent();
    }
}
