// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a batch of mutations is about to change, over the store: mutations read their own and earlier writes.
 * What a mutation wrote is taken back by {@link #reject}, until {@link #accept}. Confined to the writer thread.
 */
public final class WriteSet implements Rows, Staged {
    private final SortedStore store;
    private final NavigableMap<byte[], Optional<byte[]>> rows = new TreeMap<>(Arrays::compareUnsigned);
    /**
     * Rows as they were in this batch before the mutation under way touched them; empty: the batch had not touched the row. A row that
     * a mutation writes a hundred thousand times is kept once.
     */
    private final NavigableMap<byte[], Optional<Optional<byte[]>>> undo = new TreeMap<>(Arrays::compareUnsigned);

    private final Effort effort = new Effort();

    public WriteSet(SortedStore store) {
        this.store = store;
    }

    /** The work of the mutation under way. */
    public Effort effort() {
        return effort;
    }

    public void put(byte[] key, byte[] value) {
        set(key, Optional.of(value));
    }

    public void delete(byte[] key) {
        set(key, Optional.empty());
    }

    private void set(byte[] key, Optional<byte[]> row) {
        effort.wrote(row.map(bytes -> bytes.length).orElse(0));
        undo.putIfAbsent(key, Optional.ofNullable(rows.put(key, row)));
    }

    /** Keeps what was written since the last call. */
    @Override
    public void accept() {
        undo.clear();
        effort.begin();
    }

    /** Takes back what was written since the last {@link #accept}. */
    @Override
    public void reject() {
        undo.forEach((key, before) -> before.ifPresentOrElse(row -> rows.put(key, row), () -> rows.remove(key)));
        undo.clear();
        effort.begin();
    }

    /** Forgets everything, the batch was written or given up. */
    private void clear() {
        undo.clear();
        rows.clear();
        effort.begin();
    }

    /** Returns the bytes of keys and values of the rows that the mutation under way has put. */
    public long bytesOfMutation() {
        return undo.keySet().stream()
                .mapToLong(key -> own(key).flatMap(row -> row)
                        .map(value -> (long) key.length + value.length)
                        .orElse(0L))
                .sum();
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The changes in key order; empty values are deletions. */
    public Iterable<Map.Entry<byte[], Optional<byte[]>>> all() {
        return rows.entrySet();
    }

    public WriteBatch toBatch() {
        WriteBatch batch = new WriteBatch();
        rows.forEach((key, value) -> {
            if (value.isPresent()) {
                batch.put(key, value.get());
            } else {
                batch.delete(key);
            }
        });
        return batch;
    }

    @Override
    public Optional<byte[]> get(byte[] key) throws IOException {
        effort.read();
        Optional<Optional<byte[]>> own = own(key);
        return own.isPresent() ? own.get() : store.get(key);
    }

    /** Returns the change of a row by this batch, which is empty for a deleted row; empty: the batch did not touch the row. */
    public Optional<Optional<byte[]>> own(byte[] key) {
        return Optional.ofNullable(rows.get(key));
    }

    public int size() {
        return rows.size();
    }

    @Override
    public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
        effort.read();
        // One after the other: a copy of the range would cost as much as the batch has rows there, for a scan of one
        // row.
        Map.@Nullable Entry<byte[], Optional<byte[]>> own = before(rows.ceilingEntry(from), to);
        try (Cursor cursor = store.scan(from, to)) {
            boolean stored = cursor.next();
            while (stored || own != null) {
                effort.read();
                int order = !stored ? 1 : own == null ? -1 : Arrays.compareUnsigned(cursor.key(), own.getKey());
                if (own == null || order < 0) {
                    if (!visitor.row(cursor.key(), cursor.value())) {
                        return;
                    }
                    stored = cursor.next();
                    continue;
                }
                if (order == 0) {
                    stored = cursor.next();
                }
                if (own.getValue().isPresent()
                        && !visitor.row(own.getKey(), own.getValue().get())) {
                    return;
                }
                own = before(rows.higherEntry(own.getKey()), to);
            }
        }
    }

    private static Map.@Nullable Entry<byte[], Optional<byte[]>> before(
            Map.@Nullable Entry<byte[], Optional<byte[]>> entry, byte[] end) {
        return entry == null || Arrays.compareUnsigned(entry.getKey(), end) >= 0 ? null : entry;
    }

    @Override
    public void written() {
        clear();
    }

    @Override
    public void abandon() {
        clear();
    }
}
