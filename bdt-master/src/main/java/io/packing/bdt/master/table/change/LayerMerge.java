// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The mutation that shortens chains of layers: references move from a layer to the one below it, which nothing else is over. Each step leaves
 * what files show as it was, so a restart goes on with the next one (RFC 0020). Confined to the writer thread.
 */
public final class LayerMerge {
    private final Transaction transaction;
    private final int rowsPerStep;

    private LayerMerge(Transaction transaction) {
        this.transaction = transaction;
        this.rowsPerStep = transaction.maps().rowsPerStep();
    }

    /** Returns the layer that alone is over a frozen one; empty: several are, or a row of the past shows it. */
    public static Optional<Long> over(Rows rows, long layer) throws IOException {
        Optional<MapLayer> row = MapLayer.find(rows, layer);
        List<MapLayer.Use> uses = row.isEmpty() || !row.get().isFrozen() ? List.of() : MapLayer.uses(rows, layer, 2);
        return uses.size() == 1 && uses.get(0).position() == 0
                ? Optional.of(uses.get(0).user())
                : Optional.empty();
    }

    /**
     * Moves some references down to a frozen layer.
     *
     * @return the number of references that were moved; -1: nothing is to be done
     */
    public static int step(Transaction transaction, long layer) throws IOException {
        Optional<Long> over = over(transaction.rows(), layer);
        return over.isEmpty() ? -1 : new LayerMerge(transaction).step(over.get(), layer);
    }

    private int step(long upper, long lower) throws IOException {
        MapLayer row = MapLayer.get(transaction.rows(), upper);
        if (!row.isFrozen()) {
            Optional<Namespace.Entry> file =
                    transaction.namespace().linked(row.file()).filter(each -> !each.waiting());
            return file.isEmpty() ? -1 : step(file.get(), upper, lower);
        }
        // One without users goes, and is removed with its references.
        return MapLayer.uses(transaction.rows(), upper, 1).isEmpty() ? -1 : frozen(row, upper, lower);
    }

    private int step(Namespace.Entry file, long top, long lower) throws IOException {
        Inode inode = file.inode();
        if (!(inode.place() instanceof Inode.Fragmented place) || place.layer() != top) {
            return -1;
        }
        MapLayers layers = transaction.maps().layers();
        int moved = move(top, lower);
        Inode.Fragmented now;
        if (moved == place.own()) {
            MapLayer frozen = MapLayer.get(transaction.rows(), lower);
            now = layers.thawed(top, lower, inode.id(), frozen);
        } else {
            now = layers.counted(top, lower, inode.id(), place.own() - moved);
        }
        EntryLink at = file.link();
        transaction.rows().put(Keys.entry(at.parent(), at.name()), inode.at(now).encode());
        return moved;
    }

    private int frozen(MapLayer row, long upper, long lower) throws IOException {
        MapLayers layers = transaction.maps().layers();
        int moved = move(upper, lower);
        layers.count(upper, row, row.own() - moved);
        if (moved == row.own()) {
            layers.bringDown(upper, lower, rowsPerStep);
        }
        return moved;
    }

    /** Moves the first references of a layer down; returns their number. */
    private int move(long upper, long lower) throws IOException {
        MapLayer row = MapLayer.get(transaction.rows(), lower);
        List<Reference> some = MapRows.first(transaction.rows(), upper, rowsPerStep);
        long more = transaction.maps().moveDown(upper, lower, some, row.below() != 0);
        transaction.maps().layers().count(lower, row, row.own() + more);
        return some.size();
    }
}
