// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The maps of files in rows, which belong to fragmented files (RFC 0020). A change of a map decides which form the map has from then on.
 * Confined to the writer thread.
 */
public final class FragmentedMaps {
    private final WriteSet rows;
    private final Contents contents;
    private final MapForm form;
    private final LostRanges lostRanges;

    FragmentedMaps(WriteSet rows, Contents contents, MapForm form) {
        this.lostRanges = new LostRanges(form);
        this.rows = rows;
        this.contents = contents;
        this.form = form;
    }

    /** Replaces a range of a fragmented file by another map, holes included; returns by how many references its map has more. */
    int put(long inode, long offset, long length, ReferenceMap replacement) throws IOException {
        MapRows.Changed changed = MapRows.put(rows, inode, offset, length, replacement);
        spliced(inode, changed);
        return changed.more();
    }

    /** References of a fragmented file are others from now on. */
    private void spliced(long inode, MapRows.Changed changed) throws IOException {
        Map<Long, Long> lost = new LinkedHashMap<>();
        for (Reference each : changed.gone()) {
            rows.delete(Keys.partReferrer(each.content(), inode, each.end()));
            lost.merge(each.content(), each.length(), Long::sum);
        }
        rows.effort().allowMap(lost.size());
        Set<Long> named = new HashSet<>();
        for (Reference each : changed.come()) {
            contents.putReferrer(each.content(), Keys.partReferrer(each.content(), inode, each.end()), part(each));
            lost.computeIfPresent(each.content(), (content, bytes) -> bytes - each.length());
            named.add(each.content());
        }
        for (Map.Entry<Long, Long> each : lost.entrySet()) {
            long content = each.getKey();
            boolean isFreed = !named.contains(content) && contents.freeIfLast(content, inode);
            if (!isFreed && each.getValue() > 0 && lostRanges.isDue(content, each.getValue(), this::length)) {
                contents.lookAt(content);
            }
        }
    }

    private long length(long content) throws IOException {
        return contents.get(content).map(Content::length).orElse(0L);
    }

    /** A file has its map in rows from now on, or no more: its referrers are others, of the same bytes. */
    private void refer(long inode, ReferenceMap map, boolean inRows) {
        for (Reference each : map.references()) {
            byte[] part = Keys.partReferrer(each.content(), inode, each.end());
            byte[] whole = Keys.referrer(each.content(), inode);
            contents.refer(each.content(), inRows ? part : whole, inRows ? part(each) : new byte[0]);
            rows.delete(inRows ? whole : part);
        }
    }

    private static byte[] part(Reference reference) {
        return new Referrer.Part(reference.contentOffset(), reference.length()).encode();
    }

    /** Returns a file with its map in its entry, wherever the map is. A request may read it although it is long. */
    public static Inode whole(WriteSet rows, Inode file) throws IOException {
        allow(rows, file);
        return MapRows.whole(rows, file);
    }

    /** The mutation reads or changes the map of a file. */
    static void allow(WriteSet rows, Inode file) {
        if (file.place() instanceof Inode.Fragmented fragmented) {
            rows.effort().allowMap((int) Math.min(Integer.MAX_VALUE, fragmented.references()));
        }
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
        refer(file.id(), map, true);
        MapRows.Changed unused = MapRows.replace(rows, file.id(), List.of(), references);
        return file.at(new Inode.Fragmented(references.size()));
    }

    /** Returns a file with its map in its entry, and removes the rows of the map. */
    Inode inEntry(Inode file) throws IOException {
        if (!(file.place() instanceof Inode.Fragmented)) {
            return file;
        }
        allow(rows, file);
        List<Reference> references = MapRows.first(rows, file.id(), Integer.MAX_VALUE);
        ReferenceMap map = ReferenceMap.of(references);
        MapRows.Changed unused = MapRows.replace(rows, file.id(), references, List.of());
        refer(file.id(), map, false);
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
        spliced(inode, MapRows.replace(rows, inode, some, List.of()));
        if (some.size() < form.rowsPerStep()) {
            rows.delete(gone(inode));
        }
    }

    private void removeAll(long inode) throws IOException {
        List<Reference> all = MapRows.first(rows, inode, Integer.MAX_VALUE);
        spliced(inode, MapRows.replace(rows, inode, all, List.of()));
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
