// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.MapLayer;
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
import java.util.function.LongSupplier;

/**
 * The maps of files in rows, which belong to fragmented files (RFC 0020). A change of a map decides which form the map has from then on.
 * Confined to the writer thread.
 */
public final class FragmentedMaps {
    private final WriteSet rows;
    private final Contents contents;
    private final MapForm form;
    private final MapLayers layers;
    private final LostRanges lostRanges;

    /** @param layerIds gives out ids of layers */
    FragmentedMaps(WriteSet rows, Contents contents, MapForm form, LongSupplier layerIds) {
        this.layers = new MapLayers(rows, form, layerIds);
        this.lostRanges = new LostRanges(form);
        this.rows = rows;
        this.contents = contents;
        this.form = form;
    }

    /** Returns the layers of maps. */
    public MapLayers layers() {
        return layers;
    }

    /** Returns the number of references that one step of upkeep removes or moves at most. */
    int rowsPerStep() {
        return form.rowsPerStep();
    }

    /** Replaces a range of a fragmented file by another map, holes included; returns by how many references its map has more. */
    int put(Inode file, long offset, long length, ReferenceMap replacement) throws IOException {
        Inode.Fragmented place = (Inode.Fragmented) file.place();
        long top = place.top(file.id());
        MapRows.Changed changed = MapRows.put(rows, top, offset, length, replacement, place.below() > 0);
        spliced(top, changed);
        return changed.more();
    }

    /** References of a layer are others from now on. */
    private void spliced(long layer, MapRows.Changed changed) throws IOException {
        Map<Long, Long> lost = new LinkedHashMap<>();
        for (Reference each : changed.gone()) {
            if (!each.isHole()) {
                rows.delete(Keys.partReferrer(each.content(), layer, each.end()));
                lost.merge(each.content(), each.length(), Long::sum);
            }
        }
        rows.effort().allowMap(lost.size());
        Set<Long> named = new HashSet<>();
        for (Reference each : changed.come()) {
            if (each.isHole()) {
                continue;
            }
            contents.putReferrer(each.content(), Keys.partReferrer(each.content(), layer, each.end()), part(each));
            lost.computeIfPresent(each.content(), (content, bytes) -> bytes - each.length());
            named.add(each.content());
        }
        for (Map.Entry<Long, Long> each : lost.entrySet()) {
            long content = each.getKey();
            boolean isFreed = !named.contains(content) && contents.freeIfLast(content, layer);
            if (!isFreed && each.getValue() > 0 && lostRanges.isDue(content, each.getValue(), this::length)) {
                contents.lookAt(content);
            }
        }
    }

    private long length(long content) throws IOException {
        return contents.get(content).map(Content::length).orElse(0L);
    }

    /**
     * Moves references from a layer to the one below it, which no other is over: what they show stays.
     *
     * @param covers whether there are layers below that one
     * @return by how many references the lower layer has more
     */
    long moveDown(long from, long to, List<Reference> some, boolean covers) throws IOException {
        long more = 0;
        for (Reference each : some) {
            Reference moved = new Reference(0, each.length(), each.content(), each.contentOffset());
            ReferenceMap map = each.isHole() ? ReferenceMap.EMPTY : ReferenceMap.of(List.of(moved));
            MapRows.Changed changed = MapRows.put(rows, to, each.offset(), each.length(), map, covers);
            spliced(to, changed);
            more += changed.more();
            rows.delete(Keys.pair(Keys.MAP, from, each.end()));
            if (!each.isHole()) {
                rows.delete(Keys.partReferrer(each.content(), from, each.end()));
            }
        }
        return more;
    }

    /** A file has its map in rows from now on, or no more: its referrers are others, of the same bytes. */
    private void refer(long inode, long layer, ReferenceMap map, boolean inRows) {
        for (Reference each : map.references()) {
            byte[] part = Keys.partReferrer(each.content(), layer, each.end());
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
        long layer = free(file.id());
        refer(file.id(), layer, map, true);
        MapRows.Changed unused = MapRows.replace(rows, layer, List.of(), references);
        boolean isOwn = layer == file.id();
        return file.at(new Inode.Fragmented(references.size(), isOwn ? 0 : layer, 0));
    }

    /** Returns a layer without references for a file: the one with its id, unless clones of the file have that. */
    private long free(long inode) throws IOException {
        if (MapLayer.find(rows, inode).isPresent()) {
            return layers.alone(inode);
        }
        if (rows.get(MapLayer.gone(inode)).isPresent()) {
            // A file of this id was deleted lately, and is back.
            removeAll(inode);
        }
        return inode;
    }

    /** Returns a file with its map in its entry, and removes the rows of the map. */
    Inode inEntry(Inode file) throws IOException {
        if (!(file.place() instanceof Inode.Fragmented place)) {
            return file;
        }
        allow(rows, file);
        long top = place.top(file.id());
        ReferenceMap map = MapChain.of(rows, file).all(rows);
        List<Reference> own = MapRows.first(rows, top, Integer.MAX_VALUE);
        if (place.layer() == 0) {
            MapRows.Changed unused = MapRows.replace(rows, top, own, List.of());
            refer(file.id(), top, map, false);
            return file.at(new Inode.Mapped(map));
        }
        for (long content : map.contents()) {
            contents.refer(content, Keys.referrer(content, file.id()), new byte[0]);
        }
        // Only now: what was covered, or is below no other file, may be the last that refers to a content.
        spliced(top, MapRows.replace(rows, top, own, List.of()));
        layers.ended(top);
        return file.at(new Inode.Mapped(map));
    }

    /** Gives a file that has a map another one, and other attributes, whose length quotas count already. */
    public Inode remap(Transaction transaction, EntryLink at, Inode before, Inode after) throws IOException {
        if (!(Inode.hasMap(before.place()) && after.place() instanceof Inode.Mapped now)) {
            throw new IllegalStateException("inode %d has no map".formatted(before.id()));
        }
        Inode kept = transaction.past().beforeChange(at, before);
        ReferenceMap old = ((Inode.Mapped) inEntry(kept).place()).map();
        contents.changed(before.id(), old, now.map());
        Inode settled = settled(after);
        transaction.replace(at.parent(), at.name(), before, settled);
        return settled;
    }

    /** A fragmented file is gone: its references follow, a bounded number at a time. */
    void left(Inode file) throws IOException {
        Inode.Fragmented place = (Inode.Fragmented) file.place();
        long top = place.top(file.id());
        if (place.layer() != 0) {
            layers.left(top);
        }
        rows.put(MapLayer.gone(top), new byte[0]);
        remove(top);
    }

    private void remove(long layer) throws IOException {
        List<Reference> some = MapRows.first(rows, layer, form.rowsPerStep());
        spliced(layer, MapRows.replace(rows, layer, some, List.of()));
        if (some.size() < form.rowsPerStep()) {
            rows.delete(MapLayer.gone(layer));
            layers.ended(layer);
        }
    }

    private void removeAll(long layer) throws IOException {
        List<Reference> all = MapRows.first(rows, layer, Integer.MAX_VALUE);
        spliced(layer, MapRows.replace(rows, layer, all, List.of()));
        rows.delete(MapLayer.gone(layer));
    }

    /** Returns whether references of a layer that is gone are still there. */
    public static boolean isDue(Rows rows) throws IOException {
        return first(rows).isPresent();
    }

    private static Optional<Long> first(Rows rows) throws IOException {
        return rows.firstKey(Keys.pair(Keys.MAP, 0, 0), Keys.numbered(Keys.MAP, 1))
                .map(Keys::secondNumber);
    }

    /** Removes some references of a layer that is gone; returns whether there were any. */
    public boolean step() throws IOException {
        Optional<Long> layer = first(rows);
        if (layer.isPresent()) {
            remove(layer.get());
        }
        return layer.isPresent();
    }
}
