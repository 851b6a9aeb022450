package io.packing.worker.pack;

import io.packing.blob.Extent;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads what is buffered for a blob, many files at once where they lie behind one another in a segment, as in arrival order they do.
 * Confined to one thread.
 */
final class SegmentWindow {
    private static final int WINDOW_BYTES = 1 << 20;
    /** What may lie between two files that are read together: the header of a record. */
    private static final int NEAR_BYTES = 4 << 10;

    private Optional<BufferSegment> segment = Optional.empty();
    /** The bytes of the segment from {@link #start} on. */
    private ByteBuffer window = ByteBuffer.allocate(0);

    private long start;
    private long lastEnd;

    /** The stored bytes of a part; good until the next call. */
    ByteBuffer stored(BufferedFile.Part part) throws IOException {
        BufferSegment from = part.segment();
        Extent extent = part.extent();
        boolean same = segment.filter(before -> before == from).isPresent();
        boolean next = same
                && extent.blobOffset() >= lastEnd
                && extent.blobOffset() - lastEnd <= NEAR_BYTES
                && from.file().isPresent();
        segment = Optional.of(from);
        lastEnd = extent.blobEnd();
        if (same && extent.blobOffset() >= start && extent.blobEnd() <= start + window.limit()) {
            return window.slice((int) (extent.blobOffset() - start), extent.storedLength());
        }
        start = 0;
        window = ByteBuffer.allocate(0);
        long ahead = Math.min(WINDOW_BYTES, from.position() - extent.blobOffset());
        if (!next || ahead < extent.storedLength()) {
            return from.read(extent);
        }
        window = from.read(extent.blobOffset(), (int) ahead).slice();
        start = extent.blobOffset();
        return window.slice(0, extent.storedLength());
    }
}
