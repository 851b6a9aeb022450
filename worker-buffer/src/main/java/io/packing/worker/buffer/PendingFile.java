// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A file that waits to be appended. One segment gets all its records together, or none.
 *
 * @param pieces in their order in the file
 * @param storedBytes of all pieces
 * @param release runs when the appender needs the sources of the pieces no more
 */
record PendingFile(BufferedFile file, List<Piece> pieces, long storedBytes, Appender.Writer writer, Runnable release) {
    /** The source of a record's bytes. */
    interface Source {
        /**
         * Returns the stored bytes.
         *
         * @param room makes room for a slice, which keeps its bytes until the next read
         */
        ByteBuffer read(Supplier<ByteBuffer> room) throws IOException;
    }

    /** A record with its bytes. */
    record Piece(SegmentRecord record, Source source) {}

    PendingFile {
        pieces = List.copyOf(pieces);
    }

    /** Returns a small file, whose bytes are in memory. */
    static PendingFile small(BufferedFile file, SegmentRecord record, ByteBuffer stored, Appender.Writer writer) {
        return new PendingFile(file, List.of(new Piece(record, room -> stored)), stored.remaining(), writer, () -> {});
    }

    /** Returns the headers of the records in a life of a segment's file. */
    List<ByteBuffer> headers(int life) {
        List<ByteBuffer> headers = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            headers.add(piece.record().header(life));
        }
        return headers;
    }
}
