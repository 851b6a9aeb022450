// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The layers of maps in rows, by which clones and snapshots share a map in place of copies (RFC 0020). A frozen layer has as many uses as
 * layers and rows of the past name it, and goes with the last of them. Confined to the writer thread.
 */
public final class MapLayers {
    private final WriteSet rows;
    private final MapForm form;
    private final LongSupplier ids;

    /** @param ids gives out ids of layers */
    MapLayers(WriteSet rows, MapForm form, LongSupplier ids) {
        this.rows = rows;
        this.form = form;
        this.ids = ids;
    }

    /**
     * A frozen layer with the bytes of a file.
     *
     * @param file as it is now
     */
    public record Frozen(long layer, MapLayer row, Inode file) {
        /** Returns the place of a row of the past that shows the layer. */
        Inode.Fragmented place() {
            return new Inode.Fragmented(row.all(), layer, row.all());
        }
    }

    /** Returns whether a clone of a file may share its map. */
    public boolean isShared(Inode.Place place) {
        return place instanceof Inode.Fragmented fragmented && fragmented.references() >= form.leastLayered();
    }

    /**
     * Freezes the map of a file of the present; one of the past is frozen. The file has an empty layer over it from now on.
     *
     * @return empty: the map is too small for that, or has too many layers, and is copied
     */
    public Optional<Frozen> freeze(EntryLink at, Inode file) throws IOException {
        if (!(file.place() instanceof Inode.Fragmented place)) {
            return Optional.empty();
        }
        long top = place.top(file.id());
        Optional<MapLayer> row = place.layer() == 0 ? Optional.empty() : Optional.of(MapLayer.get(rows, top));
        boolean isFrozen = row.isPresent() && row.get().isFrozen();
        if (!isFrozen && !isShared(place)) {
            return Optional.empty();
        }
        long below = row.map(MapLayer::below).orElse(0L);
        boolean isEmpty = !isFrozen && below != 0 && place.own() == 0;
        int layers = MapChain.of(rows, file).layers().size();
        if (layers > form.mostLayers() + (isEmpty ? 1 : 0)) {
            return Optional.empty();
        }
        if (isFrozen) {
            return Optional.of(new Frozen(top, row.get(), file));
        }
        if (isEmpty) {
            return Optional.of(new Frozen(below, MapLayer.get(rows, below), file));
        }
        MapLayer frozen = new MapLayer(below, 0, place.own(), place.references());
        put(top, frozen);
        Inode now = file.at(over(top, frozen, file.id()));
        rows.put(Keys.entry(at.parent(), at.name()), now.encode());
        return Optional.of(new Frozen(top, frozen, now));
    }

    /** Gives a new file the bytes of a frozen layer. */
    public Inode.Fragmented over(Frozen frozen, long file) {
        return over(frozen.layer(), frozen.row(), file);
    }

    private Inode.Fragmented over(long layer, MapLayer frozen, long file) {
        long top = ids.getAsLong();
        put(top, new MapLayer(layer, file, 0, frozen.all()));
        rows.put(MapLayer.use(layer, new MapLayer.Use(top, 0)), new byte[0]);
        return new Inode.Fragmented(frozen.all(), top, frozen.all());
    }

    /** Gives out a top without rows, over none, to a file whose own id a layer of others has. */
    long alone(long file) {
        long top = ids.getAsLong();
        put(top, new MapLayer(0, file, 0, 0));
        return top;
    }

    private void put(long layer, MapLayer row) {
        rows.put(MapLayer.key(layer), row.encode());
    }

    /** A row of the past shows a frozen layer. */
    void hold(long layer, long inode, long position, EntryLink at) {
        rows.put(MapLayer.use(layer, new MapLayer.Use(inode, position)), at.encode());
    }

    /** A row of the past shows a frozen layer no more. */
    void release(long layer, long inode, long position) throws IOException {
        release(layer, new MapLayer.Use(inode, position));
    }

    private void release(long layer, MapLayer.Use use) throws IOException {
        rows.delete(MapLayer.use(layer, use));
        if (MapLayer.uses(rows, layer, 1).isEmpty()) {
            rows.put(MapLayer.gone(layer), new byte[0]);
        }
    }

    /** A layer is frozen, and has other numbers of references from now on. */
    void count(long layer, MapLayer before, long own) throws IOException {
        put(layer, new MapLayer(before.below(), 0, own, own + all(before.below())));
    }

    private long all(long layer) throws IOException {
        return layer == 0 ? 0 : MapLayer.get(rows, layer).all();
    }

    /** Returns the place of a file over a frozen layer, with so many references of its own. */
    Inode.Fragmented counted(long top, long layer, long file, long own) throws IOException {
        long below = all(layer);
        put(top, new MapLayer(layer, file, 0, below));
        return new Inode.Fragmented(own + below, top, below);
    }

    /** Makes a frozen layer, which an empty top alone was over, the top of the file. */
    Inode.Fragmented thawed(long top, long layer, long file, MapLayer frozen) throws IOException {
        rows.delete(MapLayer.key(top));
        rows.delete(MapLayer.use(layer, new MapLayer.Use(top, 0)));
        if (frozen.below() == 0 && layer == file) {
            rows.delete(MapLayer.key(layer));
            return new Inode.Fragmented(frozen.own());
        }
        return counted(layer, frozen.below(), file, frozen.own());
    }

    /**
     * Brings the users of a frozen layer without references to the layer below.
     *
     * @param most users that are brought at most
     */
    void bringDown(long from, long to, int most) throws IOException {
        for (MapLayer.Use each : MapLayer.uses(rows, from, most)) {
            byte[] key = MapLayer.use(from, each);
            byte[] at = rows.get(key).orElseThrow();
            if (each.position() == 0) {
                MapLayer user = MapLayer.get(rows, each.user());
                put(each.user(), new MapLayer(to, user.file(), user.own(), user.all()));
            } else {
                byte[] past = Keys.past(EntryLink.decode(at), each.position());
                Inode was = Inode.decode(rows.get(past).orElseThrow());
                Inode.Fragmented place = (Inode.Fragmented) was.place();
                rows.put(
                        past,
                        was.at(new Inode.Fragmented(place.references(), to, place.below()))
                                .encode());
            }
            rows.put(MapLayer.use(to, each), at);
            rows.delete(key);
        }
        if (MapLayer.uses(rows, from, 1).isEmpty()) {
            rows.put(MapLayer.gone(from), new byte[0]);
        }
    }

    /** A file has its top no more. */
    void left(long top) throws IOException {
        MapLayer row = MapLayer.get(rows, top);
        put(top, new MapLayer(row.below(), 0, 0, row.all()));
    }

    /** A layer has no references any more, and nothing shows it. */
    void ended(long layer) throws IOException {
        Optional<MapLayer> row = MapLayer.find(rows, layer);
        if (row.isEmpty()) {
            return;
        }
        rows.delete(MapLayer.key(layer));
        if (row.get().below() != 0) {
            release(row.get().below(), new MapLayer.Use(layer, 0));
        }
    }
}
