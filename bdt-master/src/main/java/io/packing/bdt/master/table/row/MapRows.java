// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The map of a fragmented file by range: a row for each reference, so that a write costs the range that it changes (RFC 0020). The
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

    /** Returns the whole map of a file. */
    public static ReferenceMap all(Rows rows, long inode) throws IOException {
        return ReferenceMap.of(first(rows, inode, Integer.MAX_VALUE));
    }

    /** Returns a file with its map in its entry, wherever the map is. */
    public static Inode whole(Rows rows, Inode file) throws IOException {
        return file.place() instanceof Inode.Fragmented ? file.at(new Inode.Mapped(all(rows, file.id()))) : file;
    }

    /** Returns the first references of a file; at most so many. */
    public static List<Reference> first(Rows rows, long inode, int most) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.pair(Keys.MAP, inode, 0), Keys.numbered(Keys.MAP, inode + 1), (key, value) -> {
            found.add(decode(key, value));
            return found.size() < most;
        });
        return found;
    }

    /** Returns the bytes of contents that a file has in a range, moved to offset 0. */
    public static ReferenceMap slice(Rows rows, long inode, long offset, long length) throws IOException {
        return ReferenceMap.of(touching(rows, inode, offset, offset + length)).slice(offset, length);
    }

    /** Returns the references of a file to a content. */
    public static List<Reference> of(Rows rows, long inode, long content) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.referrer(content, inode), Keys.partReferrer(content, inode, Long.MAX_VALUE), (key, value) -> {
            if (Keys.isPartReferrer(key)) {
                found.add(Referrer.reference(key, value));
            }
            return true;
        });
        return found;
    }

    /** Replaces a range by another map, holes included. */
    public static Changed put(WriteSet rows, long inode, long offset, long length, ReferenceMap replacement)
            throws IOException {
        List<Reference> before = touching(rows, inode, offset, offset + length);
        ReferenceMap after = ReferenceMap.of(before).with(offset, length, replacement);
        return replace(rows, inode, before, after.references());
    }

    /** Puts references in the place of others of the file. */
    public static Changed replace(WriteSet rows, long inode, List<Reference> before, List<Reference> after) {
        Set<Reference> gone = new LinkedHashSet<>(before);
        Set<Reference> come = new LinkedHashSet<>(after);
        before.forEach(come::remove);
        after.forEach(gone::remove);
        gone.forEach(each -> rows.delete(key(inode, each)));
        come.forEach(each -> rows.put(key(inode, each), encode(each)));
        return new Changed(List.copyOf(gone), List.copyOf(come));
    }

    /** Returns the references that have bytes of a range, or end or begin where it begins or ends. */
    public static List<Reference> touching(Rows rows, long inode, long from, long to) throws IOException {
        List<Reference> found = new ArrayList<>();
        rows.scan(Keys.pair(Keys.MAP, inode, from), Keys.numbered(Keys.MAP, inode + 1), (key, value) -> {
            Reference reference = decode(key, value);
            if (reference.offset() <= to) {
                found.add(reference);
            }
            return reference.offset() < to;
        });
        return found;
    }

    private static byte[] key(long inode, Reference reference) {
        return Keys.pair(Keys.MAP, inode, reference.end());
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
