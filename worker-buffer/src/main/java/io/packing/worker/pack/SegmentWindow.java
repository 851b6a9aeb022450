// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.buffers.Slices;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A reader of buffered files for a blob: it reads many at once where they are neighbours in a segment, as in arrival
 * order. Confined to one thread.
 */
final class SegmentWindow {
    /** The size of the window, which stays in the processor's cache. */
    private static final int WINDOW_BYTES = 256 << 10;
    /** The most bytes between two files of one read, as the header of a record. */
    private static final int NEAR_BYTES = 4 << 10;

    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    /** The start of the window in its segment. */
    private long start;

    /** Reads the first of these parts and its near neighbours; returns their number. */
    int read(List<BufferedFile.Part> parts) throws IOException {
        BufferSegment segment = parts.get(0).segment();
        start = parts.get(0).extent().blobOffset();
        int count = 1;
        long end = parts.get(0).extent().blobEnd();
        if (segment.file().isPresent()) {
            for (; count < parts.size() && isNear(segment, end, parts.get(count)); count++) {
                end = parts.get(count).extent().blobEnd();
            }
        }
        int length = (int) (end - start);
        if (length > window.capacity()) {
            window = ByteBuffer.allocate(length);
        }
        segment.read(start, window.clear().limit(length));
        return count;
    }

    private boolean isNear(BufferSegment segment, long end, BufferedFile.Part part) {
        long gap = part.extent().blobOffset() - end;
        return part.segment() == segment
                && gap >= 0
                && gap <= NEAR_BYTES
                && part.extent().blobEnd() - start <= WINDOW_BYTES;
    }

    /** Returns the stored bytes of a part of the last read; good until the next one. */
    ByteBuffer stored(BufferedFile.Part part) {
        return Slices.of(
                window,
                (int) (part.extent().blobOffset() - start),
                part.extent().storedLength());
    }
}
