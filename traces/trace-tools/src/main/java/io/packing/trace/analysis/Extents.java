// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Map;
import java.util.TreeMap;

/**
 * The past of each byte of one file: the number of its reads, the time of the last one, and whether it was written.
 * Bytes with an equal past share a piece.
 *
 * <p>Memory grows with the pieces: at most two for each read that does not repeat an earlier one's range.
 */
final class Extents {
    /** The time before all reads. */
    static final long NEVER = Long.MIN_VALUE;

    /** A range of bytes with one past; its start is its key in the map. */
    static final class Piece {
        private long end;
        private int reads;
        private long lastRead = NEVER;
        private boolean written;
        private boolean coreRead;
        private boolean coreWritten;

        private Piece(long end) {
            this.end = end;
        }

        private Piece cut(long at) {
            Piece rest = new Piece(end);
            rest.reads = reads;
            rest.lastRead = lastRead;
            rest.written = written;
            rest.coreRead = coreRead;
            rest.coreWritten = coreWritten;
            end = at;
            return rest;
        }

        int reads() {
            return reads;
        }

        boolean isWritten() {
            return written;
        }

        boolean isCoreRead() {
            return coreRead;
        }

        boolean isCoreWritten() {
            return coreWritten;
        }
    }

    /** A visitor of a file's pieces. */
    interface Visitor {
        void visit(long bytes, Piece piece);
    }

    private final TreeMap<Long, Piece> pieces = new TreeMap<>();

    /** Returns the time of the last read of a byte in the range; {@link #NEVER} without one. */
    long lastRead(long start, long end) {
        Long first = pieces.floorKey(start);
        long from = first == null ? start : first;
        long last = NEVER;
        for (Map.Entry<Long, Piece> entry :
                pieces.subMap(from, true, end, false).entrySet()) {
            if (entry.getValue().end > start) {
                last = Math.max(last, entry.getValue().lastRead);
            }
        }
        return last;
    }

    void read(long start, long end, long nanos, boolean core) {
        for (Piece piece : cover(start, end).values()) {
            piece.reads++;
            piece.lastRead = nanos;
            piece.coreRead |= core;
        }
    }

    void written(long start, long end, boolean core) {
        for (Piece piece : cover(start, end).values()) {
            piece.written = true;
            piece.coreWritten |= core;
        }
    }

    void forEach(Visitor visitor) {
        pieces.forEach((start, piece) -> visitor.visit(piece.end - start, piece));
    }

    /** Cuts and adds pieces until they cover the range exactly. */
    private Map<Long, Piece> cover(long start, long end) {
        Piece exact = pieces.get(start);
        if (exact != null && exact.end == end) {
            return Map.of(start, exact);
        }
        cut(start);
        cut(end);
        long at = start;
        while (at < end) {
            Map.Entry<Long, Piece> next = pieces.ceilingEntry(at);
            if (next == null || next.getKey() >= end) {
                pieces.put(at, new Piece(end));
                at = end;
            } else if (next.getKey() > at) {
                pieces.put(at, new Piece(next.getKey()));
                at = next.getKey();
            } else {
                at = next.getValue().end;
            }
        }
        return pieces.subMap(start, true, end, false);
    }

    private void cut(long at) {
        Map.Entry<Long, Piece> before = pieces.lowerEntry(at);
        if (before != null && before.getValue().end > at) {
            pieces.put(at, before.getValue().cut(at));
        }
    }
}
