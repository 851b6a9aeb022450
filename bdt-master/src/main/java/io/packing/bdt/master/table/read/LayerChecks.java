// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.ScanProblem;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapLayer;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Finds layers of maps that contradict their files, their uses or their contents. Confined to one thread. */
final class LayerChecks {
    private final Rows rows;
    private final Contents contents;

    /** Compares references with the contents that they name. */
    interface Contents {
        Optional<ScanProblem> check(String path, ReferenceMap map) throws IOException;
    }

    LayerChecks(Rows rows, Contents contents) {
        this.rows = rows;
        this.contents = contents;
    }

    /** Checks the layers of a file of the present. */
    Optional<ScanProblem> file(String path, long inode, Inode.Fragmented file) throws IOException {
        long top = file.top(inode);
        Optional<MapLayer> row = MapLayer.find(rows, top);
        if (file.layer() == 0) {
            return row.isPresent()
                    ? problem(path, "its map is layer %d, which clones of it have".formatted(top))
                    : references(path, top, file.own());
        }
        if (row.isEmpty() || row.get().file() != inode || row.get().all() != file.below()) {
            return problem(
                    path,
                    "its map is layer %d over %d references, which the table has as %s"
                            .formatted(top, file.below(), row));
        }
        Optional<ScanProblem> wrong = references(path, top, file.own());
        return wrong.isPresent() ? wrong : below(path, top, row.get());
    }

    /** Checks the layers of a row of the past. */
    Optional<ScanProblem> past(long inode, long position, Inode.Fragmented file) throws IOException {
        return frozen("", file.layer(), new MapLayer.Use(inode, position));
    }

    private Optional<ScanProblem> below(String path, long layer, MapLayer row) throws IOException {
        return row.below() == 0 ? Optional.empty() : frozen(path, row.below(), new MapLayer.Use(layer, 0));
    }

    /** Checks a frozen layer. Its references are looked at for its first use only: a layer may have thousands. */
    private Optional<ScanProblem> frozen(String path, long layer, MapLayer.Use by) throws IOException {
        Optional<MapLayer> row = MapLayer.find(rows, layer);
        if (row.isEmpty()
                || !row.get().isFrozen()
                || rows.get(MapLayer.use(layer, by)).isEmpty()) {
            return problem(path, "layer %d does not know that %s is over it: %s".formatted(layer, by, row));
        }
        if (!MapLayer.uses(rows, layer, 1).equals(List.of(by))) {
            return Optional.empty();
        }
        Optional<ScanProblem> wrong = references(path, layer, row.get().own());
        return wrong.isPresent() ? wrong : below(path, layer, row.get());
    }

    private Optional<ScanProblem> references(String path, long layer, long count) throws IOException {
        List<Reference> there = MapRows.first(rows, layer, Integer.MAX_VALUE);
        if (there.size() != count) {
            return problem(path, "its map has %d references, and it should have %d".formatted(there.size(), count));
        }
        List<Reference> bytes = there.stream().filter(each -> !each.isHole()).toList();
        for (Reference each : bytes) {
            if (rows.get(Keys.partReferrer(each.content(), layer, each.end())).isEmpty()) {
                return problem(path, "content %d does not know that it has bytes of it".formatted(each.content()));
            }
        }
        return contents.check(path, ReferenceMap.of(bytes));
    }

    private static Optional<ScanProblem> problem(String path, String message) {
        return Optional.of(new ScanProblem("row", path, message));
    }
}
