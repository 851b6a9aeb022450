package io.packing.bdt.master.table.row;

import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The map of a fragmented file by range: a row for each reference, so that a write costs the range that it changes (RFC 0020). The
 * key of a row has the end of its reference: a store is read forwards, and the first row with an end behind an offset has it. Confined
 * to the writer thread.
 */
public final class MapRows {
    private final WriteSet rows;

    public MapRows(WriteSet rows) {
        this.rows = rows;
    }

    /**
     * A change of a map.
     *
     * @param rows by how many rows name each content more; a content that stays as it is is not among them
     */
    public record Changed(Map<Long, Integer> rows) {
        public Changed {
            rows = Map.copyOf(rows);
        }

        /** Returns by how many references the map has more. */
        public int references() {
            return rows.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    /** Returns the bytes of contents that a file has in a range, moved to offset 0. */
    public ReferenceMap slice(long inode, long offset, long length) throws IOException {
        return ReferenceMap.of(touching(inode, offset, offset + length)).slice(offset, length);
    }

    /** Replaces a range by another map, holes included. */
    public Changed put(long inode, long offset, long length, ReferenceMap replacement) throws IOException {
        List<Reference> before = touching(inode, offset, offset + length);
        ReferenceMap after = ReferenceMap.of(before).with(offset, length, replacement);
        return replace(inode, before, after.references());
    }

    /** Removes all from an offset on. */
    public Changed cut(long inode, long offset) throws IOException {
        List<Reference> before = touching(inode, offset, Long.MAX_VALUE);
        ReferenceMap.Editor after = new ReferenceMap.Editor(ReferenceMap.of(before));
        after.cut(offset);
        return replace(inode, before, after.toMap().references());
    }

    /** Returns the references that have bytes of a range, or end or begin where it begins or ends. */
    private List<Reference> touching(long inode, long from, long to) throws IOException {
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

    private Changed replace(long inode, List<Reference> before, List<Reference> after) {
        Map<Long, Integer> changed = new HashMap<>();
        Set<Reference> gone = new HashSet<>(before);
        Set<Reference> come = new HashSet<>(after);
        before.forEach(come::remove);
        after.forEach(gone::remove);
        for (Reference each : gone) {
            rows.delete(key(inode, each));
            changed.merge(each.content(), -1, Integer::sum);
        }
        for (Reference each : come) {
            rows.put(key(inode, each), encode(each));
            changed.merge(each.content(), 1, Integer::sum);
        }
        changed.values().removeIf(rowsMore -> rowsMore == 0);
        return new Changed(changed);
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

    private static Reference decode(byte[] key, byte[] value) {
        Bytes.In in = new Bytes.In(value);
        long end = Keys.secondNumber(key);
        long length = in.number();
        if (length <= 0 || length > end) {
            throw new Bytes.MalformedException("reference of %d bytes up to %d".formatted(length, end));
        }
        return new Reference(end - length, length, in.number(), in.number());
    }
}
