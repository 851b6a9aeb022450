// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Readable entries: the present ones of a store, or those of one moment. */
public interface SortedView extends AutoCloseable {
    Optional<byte[]> get(byte[] key) throws IOException;

    /**
     * Returns the entries with {@code from <= key < to}, ascending, as of now; an empty {@code to} is the end. Close
     * it.
     */
    Cursor scan(byte[] from, byte[] to) throws IOException;

    /**
     * Returns the first entry with {@code from <= key < to}. It costs less than a scan of one entry, since the store caches the blocks that
     * it reads.
     */
    default Optional<Map.Entry<byte[], byte[]>> first(byte[] from, byte[] to) throws IOException {
        try (Cursor cursor = scan(from, to)) {
            return cursor.next() ? Optional.of(Map.entry(cursor.key(), cursor.value())) : Optional.empty();
        }
    }

    @Override
    void close() throws IOException;
}
