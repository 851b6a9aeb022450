// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The layers of a fragmented file's map, as its readers see them: an upper one covers the lower ones with its references and holes (RFC
 * 0020).
 *
 * @param layers by their ids, the top first
 */
public record MapChain(List<Long> layers) {
    public MapChain {
        layers = List.copyOf(layers);
    }

    /** Returns the layers of a file of the present or the past, with its map in rows. */
    public static MapChain of(Rows rows, Inode file) throws IOException {
        Inode.Fragmented place = (Inode.Fragmented) file.place();
        return place.layer() == 0 ? new MapChain(List.of(file.id())) : from(rows, place.layer());
    }

    /** Returns a layer that has a row, and all below it. */
    static MapChain from(Rows rows, long top) throws IOException {
        List<Long> layers = new ArrayList<>();
        for (long next = top; next != 0; next = MapLayer.get(rows, next).below()) {
            layers.add(next);
        }
        return new MapChain(layers);
    }

    /** Returns the layers of a top. */
    public static MapChain of(Rows rows, MapLayer.Top top) throws IOException {
        return top.layer() == top.file() && MapLayer.find(rows, top.layer()).isEmpty()
                ? new MapChain(List.of(top.layer()))
                : from(rows, top.layer());
    }

    /** Returns the whole map. */
    public ReferenceMap all(Rows rows) throws IOException {
        List<Reference> all = new ArrayList<>();
        for (int i = layers.size() - 1; i >= 0; i--) {
            all.addAll(MapRows.first(rows, layers.get(i), Integer.MAX_VALUE));
        }
        return ReferenceMap.of(all).withoutHoles();
    }

    /** Returns the bytes of contents in a range, moved to offset 0. */
    public ReferenceMap slice(Rows rows, long offset, long length) throws IOException {
        List<Reference> all = new ArrayList<>();
        for (int i = layers.size() - 1; i >= 0; i--) {
            all.addAll(MapRows.touching(rows, layers.get(i), offset, offset + length));
        }
        return ReferenceMap.of(all).withoutHoles().slice(offset, length);
    }

    /** Returns the references to a content, by layer, without those parts of lower layers that an upper one covers. */
    public List<Reference> of(Rows rows, long content) throws IOException {
        List<Reference> shown = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            MapChain above = new MapChain(layers.subList(0, i + 1));
            for (Reference each : MapRows.of(rows, layers.get(i), content)) {
                if (i == 0) {
                    shown.add(each);
                } else {
                    shown.addAll(above.shown(rows, each));
                }
            }
        }
        return shown;
    }

    /** Returns the parts of a reference of the lowest of these layers that the others do not cover. */
    private List<Reference> shown(Rows rows, Reference reference) throws IOException {
        ReferenceMap own = ReferenceMap.of(List.of(reference));
        for (long upper : layers.subList(0, layers.size() - 1)) {
            for (Reference each : MapRows.touching(rows, upper, reference.offset(), reference.end())) {
                own = own.without(each.offset(), each.length());
            }
        }
        return own.references();
    }
}
