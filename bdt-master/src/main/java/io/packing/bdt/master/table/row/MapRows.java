// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A layer of the maps of fragmented files by range: a row for each reference, so that a write costs the range that it changes (RFC 0020). The
 * key of a row has the end of its reference: a store is read forwards, and the first row with an end behind an offset has it.
 */
public final class MapRows {
    private MapRows() {}

    /**
     * A change of a map.
     *
     * @param gone references that the map has no more
     * @param come references that it has from now on
     */
    public record Changed(List<Reference> gone, List<Reference> come) {
        public Changed {
            gone = List.copyOf(gone);
            come = List.copyOf(come);
        }

        /** Returns by how many references the map has more. */
        public int more() {
            return come.size() - gone.size();
        }
    }

    /** Returns a file with its map in its entry, wherever the map is. */
    public static Inode whole(Rows rows, Inode file) throws IOException {
        return file.place() instanceof Inode.Fragmented
                ? file.at(new Inode.Mapped(MapChain.of(rows, file).all(rows)))
                : file;
    }

    /** Returns the first references and holes of a layer; at most so many. */
    public static List<Reference> first(Rows rows, long layer, int most) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.pair(Keys.MAP, layer, 0), Keys.numbered(Keys.MAP, layer + 1), (key, value) -> {
            found.add(decode(key, value));
            return found.size() < most;
        });
        return found;
    }

    /** Returns the references of a layer to a content. */
    public static List<Reference> of(Rows rows, long layer, long content) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.referrer(content, layer), Keys.partReferrer(content, layer, Long.MAX_VALUE), (key, value) -> {
            if (Keys.isPartReferrer(key)) {
                found.add(Referrer.reference(key, value));
            }
            return true;
        });
        return found;
    }

    /**
     * Replaces a range by another map, holes included.
     *
     * @param covers whether holes are rows, since layers below may have bytes there
     */
    public static Changed put(
            WriteSet rows, long layer, long offset, long length, ReferenceMap replacement, boolean covers)
            throws IOException {
        List<Reference> before = touching(rows, layer, offset, offset + length);
        ReferenceMap after = ReferenceMap.of(before).with(offset, length, replacement);
        ReferenceMap settled = covers ? after.covering(offset, length) : after;
        return replace(rows, layer, before, settled.references());
    }

    /** Puts references in the place of others of the layer. */
    public static Changed replace(WriteSet rows, long layer, List<Reference> before, List<Reference> after) {
        Set<Reference> gone = new LinkedHashSet<>(before);
        Set<Reference> come = new LinkedHashSet<>(after);
        before.forEach(come::remove);
        after.forEach(gone::remove);
        gone.forEach(each -> rows.delete(key(layer, each)));
        come.forEach(each -> rows.put(key(layer, each), encode(each)));
        return new Changed(List.copyOf(gone), List.copyOf(come));
    }

    /** Returns the references that have bytes of a range, or end or begin where it begins or ends. */
    public static List<Reference> touching(Rows rows, long layer, long from, long to) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.pair(Keys.MAP, layer, from), Keys.numbered(Keys.MAP, layer + 1), (key, value) -> {
            Reference reference = decode(key, value);
            if (reference.offset() <= to) {
                found.add(reference);
            }
            return reference.offset() < to;
        });
        return found;
    }

    private static byte[] key(long layer, Reference reference) {
        return Keys.pair(Keys.MAP, layer, reference.end());
    }

    private static byte[] encode(Reference reference) {
        return new Bytes.Out()
                .number(reference.length())
                .number(reference.content())
                .number(reference.contentOffset())
                .toBytes();
    }

    /** Returns the reference that a row is of. */
    public static Reference decode(byte[] key, byte[] value) {
        Bytes.In in = new Bytes.In(value);
        long end = Keys.secondNumber(key);
        long length = in.number();
        if (length <= 0 || length > end) {
            throw new Bytes.MalformedException("reference of %d bytes up to %d".formatted(length, end));
        }
        return new Reference(end - length, length, in.number(), in.number());
    }
}
