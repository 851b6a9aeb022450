package io.packing.worker.pack;

import io.packing.buffers.Slices;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads what is buffered for a blob, many files at once where they lie behind one another in a segment, as in arrival order they do.
 * Confined to one thread.
 */
final class SegmentWindow {
    /** Still in the processor's cache when it is used. */
    private static final int WINDOW_BYTES = 256 << 10;
    /** What may lie between two files that are read together: the header of a record. */
    private static final int NEAR_BYTES = 4 << 10;

    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    /** Where the window starts in its segment. */
    private long start;

    /** Reads the first of these parts, and those behind it that lie near; returns how many. */
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

    /** The stored bytes of a part that was read; good until others are. */
    ByteBuffer stored(BufferedFile.Part part) {
        return Slices.of(
                window,
                (int) (part.extent().blobOffset() - start),
                part.extent().storedLength());
    }
}
