// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The encoder of the extents of a new blob. */
public interface ExtentEncoder {
    /** Encodes the remaining bytes, without moving the buffer. */
    ExtentCodec.Stored encode(ByteBuffer bytes);

    /** Returns the dictionary that the blob must have between header and body. */
    default Optional<Dictionary> dictionary() {
        return Optional.empty();
    }
}
