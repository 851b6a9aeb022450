// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.nbd.DeviceRange;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The bytes of a volume as the table had them at one time. Thread-safe. */
final class VolumeBase implements AutoCloseable {
    private final PackingInput input;
    private final int pieces;
    /** The starts and ends of ranges with data, in turn, ascending. */
    private final long[] edges;

    VolumeBase(LocatedFile located, PackingInput input) {
        this.input = input;
        long size = located.status().attributes().length();
        if (located.placement() instanceof Placement.Mapped mapped) {
            this.pieces = mapped.pieces().size();
            this.edges = edges(mapped.pieces(), size);
        } else {
            this.pieces = 1;
            this.edges = size == 0 ? new long[0] : new long[] {0, size};
        }
    }

    private static long[] edges(List<Placement.Piece> pieces, long size) {
        long[] edges = new long[2 * pieces.size()];
        int count = 0;
        for (Placement.Piece piece : pieces) {
            long end = Math.min(piece.end(), size);
            if (count > 0 && edges[count - 1] == piece.offset()) {
                edges[count - 1] = end;
            } else {
                edges[count++] = piece.offset();
                edges[count++] = end;
            }
        }
        return Arrays.copyOf(edges, count);
    }

    /** Returns the number of pieces of contents. */
    int pieces() {
        return pieces;
    }

    /** Fills the buffer; bytes behind the end are zeros. */
    void read(long offset, ByteBuffer into) throws IOException {
        long start = offset - into.position();
        while (into.hasRemaining()) {
            if (input.read(start + into.position(), into) < 0) {
                while (into.hasRemaining()) {
                    into.put((byte) 0);
                }
            }
        }
    }

    /** Returns the range from the offset on that is all data or all hole, up to an end at most. */
    DeviceRange range(long offset, long end) {
        int at = Arrays.binarySearch(edges, offset);
        // The number of edges at or before the offset: odd within data.
        int passed = at >= 0 ? at + 1 : -at - 1;
        long until = passed < edges.length ? Math.min(edges[passed], end) : end;
        return new DeviceRange(offset, until - offset, passed % 2 == 0);
    }

    /** Returns the bytes that are in contents. */
    long dataBytes() {
        long sum = 0;
        for (int i = 0; i < edges.length; i += 2) {
            sum += edges[i + 1] - edges[i];
        }
        return sum;
    }

    @Override
    public void close() {
        input.close();
    }
}
