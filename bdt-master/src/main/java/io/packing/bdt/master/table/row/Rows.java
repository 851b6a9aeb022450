// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.util.Optional;

/** Read access to a mount's rows: those of the store, or those as a mutation under way sees them. */
public interface Rows {
    Optional<byte[]> get(byte[] key) throws IOException;

    /** Visits rows with {@code from <= key < to} in order, until told to stop. */
    void scan(byte[] from, byte[] to, Visitor visitor) throws IOException;

    /** Returns whether there is a row with {@code from <= key < to}. */
    default boolean any(byte[] from, byte[] to) throws IOException {
        return firstKey(from, to).isPresent();
    }

    /** Returns the key of the first row with {@code from <= key < to}; empty: there is none. */
    default Optional<byte[]> firstKey(byte[] from, byte[] to) throws IOException {
        FirstRow first = new FirstRow();
        scan(from, to, first);
        return first.key();
    }

    /** Returns the value of the first row with {@code from <= key < to}; empty: there is none. */
    default Optional<byte[]> firstValue(byte[] from, byte[] to) throws IOException {
        FirstRow first = new FirstRow();
        scan(from, to, first);
        return first.value();
    }

    /** Receives rows. */
    interface Visitor {
        /** Receives a row; returns whether to go on. */
        boolean row(byte[] key, byte[] value) throws IOException;
    }
}
