package io.packing.blob;

import java.nio.ByteBuffer;
import java.util.Optional;

/** How the extents of a new blob are stored. */
public interface ExtentEncoder {
    /** Encodes the remaining bytes, without moving the buffer. */
    ExtentCodec.Stored encode(ByteBuffer bytes);

    /** What the blob must have between header and body. */
    default Optional<Dictionary> dictionary() {
        return Optional.empty();
    }
}
