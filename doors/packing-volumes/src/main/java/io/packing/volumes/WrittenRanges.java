// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The changed ranges of a volume: pieces that do not overlap, of which the last write decides. Not thread-safe. */
final class WrittenRanges {
    /** The memory of a piece beside its bytes, nearly. */
    private static final int PIECE_BYTES = 128;

    private final NavigableMap<Long, WrittenPiece> pieces = new TreeMap<>();
    private long dataBytes;

    /** Puts a piece over those before it. */
    void put(WrittenPiece piece) {
        Map.Entry<Long, WrittenPiece> before = pieces.lowerEntry(piece.offset());
        if (before != null && before.getValue().end() > piece.offset()) {
            WrittenPiece cut = before.getValue();
            remove(cut);
            add(cut.part(cut.offset(), piece.offset()));
            if (cut.end() > piece.end()) {
                add(cut.part(piece.end(), cut.end()));
            }
        }
        for (Map.Entry<Long, WrittenPiece> next = pieces.ceilingEntry(piece.offset());
                next != null && next.getKey() < piece.end();
                next = pieces.ceilingEntry(piece.offset())) {
            WrittenPiece covered = next.getValue();
            remove(covered);
            if (covered.end() > piece.end()) {
                add(covered.part(piece.end(), covered.end()));
            }
        }
        add(piece);
    }

    private void add(WrittenPiece piece) {
        pieces.put(piece.offset(), piece);
        dataBytes += piece.bytes().limit();
    }

    private void remove(WrittenPiece piece) {
        pieces.remove(piece.offset());
        dataBytes -= piece.bytes().limit();
    }

    /** Puts all pieces of later changes over these. */
    void putAll(WrittenRanges later) {
        later.pieces.values().forEach(this::put);
    }

    /** Adds the parts of its pieces that lie in a range, by ascending offset. */
    void addWithin(long offset, long end, List<WrittenPiece> into) {
        Map.Entry<Long, WrittenPiece> first = pieces.floorEntry(offset);
        long from = first == null ? offset : first.getKey();
        for (WrittenPiece piece : pieces.subMap(from, true, end, false).values()) {
            if (piece.end() > offset) {
                into.add(piece.part(Math.max(offset, piece.offset()), Math.min(end, piece.end())));
            }
        }
    }

    /** Puts all pieces of later changes over these, without their bytes. */
    void putAllWithoutBytes(WrittenRanges later) {
        later.pieces.values().forEach(piece -> put(piece.withoutBytes()));
    }

    Collection<WrittenPiece> all() {
        return new ArrayList<>(pieces.values());
    }

    /** Returns these ranges in parts of at most so many pieces, by ascending offset. */
    List<WrittenRanges> parts(int most) {
        List<WrittenRanges> parts = new ArrayList<>();
        for (WrittenPiece piece : pieces.values()) {
            if (parts.isEmpty() || parts.get(parts.size() - 1).count() == most) {
                parts.add(new WrittenRanges());
            }
            parts.get(parts.size() - 1).add(piece);
        }
        return parts;
    }

    /** Returns the number of its pieces. */
    int count() {
        return pieces.size();
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Returns its data in memory. */
    long dataBytes() {
        return dataBytes;
    }

    /** Returns the memory that it takes, nearly. */
    long memoryBytes() {
        return dataBytes + (long) PIECE_BYTES * pieces.size();
    }
}
