// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

/**
 * A position in a snapshot of a store. It starts before the first entry: {@code while (cursor.next()) use(cursor.key(),
 * cursor.value())}. Confined to one thread.
 */
public interface Cursor extends AutoCloseable {
    /**
     * Moves to the next entry; returns false at the end.
     *
     * @throws java.io.UncheckedIOException when an entry cannot be read: the scan would lack entries
     */
    boolean next();

    byte[] key();

    byte[] value();

    @Override
    void close();
}
