// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedView;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The rows of a store as they are, or as they were at one moment. As thread-safe as these are. */
public record StoreRows(SortedView store) implements Rows {
    @Override
    public Optional<byte[]> get(byte[] key) throws IOException {
        return store.get(key);
    }

    @Override
    public Optional<byte[]> firstKey(byte[] from, byte[] to) throws IOException {
        return store.first(from, to).map(Map.Entry::getKey);
    }

    @Override
    public Optional<byte[]> firstValue(byte[] from, byte[] to) throws IOException {
        return store.first(from, to).map(Map.Entry::getValue);
    }

    @Override
    public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
        try (Cursor cursor = store.scan(from, to)) {
            while (cursor.next()) {
                if (!visitor.row(cursor.key(), cursor.value())) {
                    return;
                }
            }
        }
    }
}
