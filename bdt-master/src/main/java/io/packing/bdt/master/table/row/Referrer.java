// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An inode, or a layer of maps, that has some of a content.
 *
 * @param inode the id of the inode, or of the layer
 * @param past the position until which it had, and the place of its row of the past; empty: it has at present
 * @param part the bytes that one reference of a layer has; empty: the inode's map says which
 */
public record Referrer(long inode, Optional<At> past, Optional<Part> part) {
    /** The place of a row of the past. */
    public record At(EntryLink link, long position) {
        /** Returns the row of an inode whose bytes only the row of the past at this place has. */
        public byte[] encode() {
            return new Bytes.Out()
                    .number(link.parent())
                    .text(link.name())
                    .number(position)
                    .toBytes();
        }

        /** Decodes the row of an inode; empty: the inode is of the present. */
        public static Optional<At> ofInode(byte[] row) {
            Bytes.In in = new Bytes.In(row);
            EntryLink link = new EntryLink(in.number(), in.text());
            return in.hasMore() ? Optional.of(new At(link, in.number())) : Optional.empty();
        }

        public byte[] key() {
            return Keys.past(link, position);
        }
    }

    /**
     * Bytes of a content.
     *
     * @param offset in the content
     */
    public record Part(long offset, long length) {
        public Part {
            if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
                throw new Bytes.MalformedException("%d bytes at %d of a content".formatted(length, offset));
            }
        }

        public byte[] encode() {
            return new Bytes.Out().number(length).number(offset).toBytes();
        }

        static Part decode(byte[] row) {
            Bytes.In in = new Bytes.In(row);
            long length = in.number();
            return new Part(in.number(), length);
        }

        public long end() {
            return offset + length;
        }
    }

    /** Returns the inodes that have some of a content, by id; at most so many. A layer is there with each of its references. */
    public static List<Referrer> all(Rows rows, long content, int most) throws IOException {
        List<Referrer> found = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.REFERRER, content), Keys.numbered(Keys.REFERRER, content + 1), (key, value) -> {
            found.add(decode(key, value));
            return found.size() < most;
        });
        return found;
    }

    /** Returns the reference of a layer that a row is of. */
    static ReferenceMap.Reference reference(byte[] key, byte[] value) {
        Part part = Part.decode(value);
        long end = Keys.partEnd(key);
        if (part.length() > end) {
            throw new Bytes.MalformedException("reference of %d bytes up to %d".formatted(part.length(), end));
        }
        return new ReferenceMap.Reference(end - part.length(), part.length(), Keys.number(key), part.offset());
    }

    private static Referrer decode(byte[] key, byte[] value) {
        return new Referrer(
                Keys.secondNumber(key),
                Keys.isPastReferrer(key)
                        ? Optional.of(new At(EntryLink.decode(value), Keys.pastPosition(key)))
                        : Optional.empty(),
                Keys.isPartReferrer(key) ? Optional.of(Part.decode(value)) : Optional.empty());
    }

    /** Returns a file of the present that shows some of a content; empty: only the past has it, or layers that files cover. */
    public static Optional<Long> present(Rows rows, long content) throws IOException {
        List<Long> present = new ArrayList<>();
        Set<Long> layers = new LinkedHashSet<>();
        rows.scan(Keys.numbered(Keys.REFERRER, content), Keys.numbered(Keys.REFERRER, content + 1), (key, value) -> {
            if (Keys.isPartReferrer(key)) {
                layers.add(Keys.secondNumber(key));
            } else if (!Keys.isPastReferrer(key)) {
                present.add(Keys.secondNumber(key));
            }
            return present.isEmpty();
        });
        return present.isEmpty()
                ? inLayers(rows, layers, content)
                : present.stream().findFirst();
    }

    private static Optional<Long> inLayers(Rows rows, Set<Long> layers, long content) throws IOException {
        for (long layer : layers) {
            for (MapLayer.Top each : MapLayer.tops(rows, layer, Integer.MAX_VALUE)) {
                if (!MapChain.of(rows, each).of(rows, content).isEmpty()) {
                    return Optional.of(each.file());
                }
            }
        }
        return Optional.empty();
    }
}
