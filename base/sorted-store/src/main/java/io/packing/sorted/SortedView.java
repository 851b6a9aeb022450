// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.util.Optional;

/** Readable entries: the present ones of a store, or those of one moment. */
public interface SortedView extends AutoCloseable {
    Optional<byte[]> get(byte[] key) throws IOException;

    /**
     * Returns the entries with {@code from <= key < to}, ascending, as of now; an empty {@code to} is the end. Close
     * it.
     */
    Cursor scan(byte[] from, byte[] to) throws IOException;

    @Override
    void close() throws IOException;
}
