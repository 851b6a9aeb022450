// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a put whose bytes come while they are sent.
 *
 * @param length of all bytes, which the store learns before the first one
 * @param bytes exactly so many. A read blocks until some are there. A read that fails cuts the put: then the store makes
 *     no object
 */
public record StreamedBody(long length, InputStream bytes) {
    public StreamedBody {
        if (length <= 0) {
            throw new IllegalArgumentException("a stream of %d bytes".formatted(length));
        }
    }

    /** Fails unless the stream has ended after its last byte. */
    void checkEnd() throws IOException {
        if (bytes.read() >= 0) {
            throw new IOException("the stream has more than the announced %,d bytes".formatted(length));
        }
    }
}
