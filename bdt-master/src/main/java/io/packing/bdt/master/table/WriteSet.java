package io.packing.bdt.master.table;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rows that a group of mutations is about to change, over the store: mutations read their own and earlier writes.
 * What a mutation wrote is taken back by {@link #reject}, until {@link #accept}. Confined to the writer thread.
 */
public final class WriteSet implements Rows {
    /** What a row was in this group before a mutation touched it; empty: the group had not touched it. */
    private static final class Before {
        private final byte[] key;
        private final Optional<Optional<byte[]>> row;

        private Before(byte[] key, Optional<Optional<byte[]>> row) {
            this.key = key;
            this.row = row;
        }
    }

    private final SortedStore store;
    private final NavigableMap<byte[], Optional<byte[]>> rows = new TreeMap<>(Arrays::compareUnsigned);
    private final Deque<Before> undo = new ArrayDeque<>();

    public WriteSet(SortedStore store) {
        this.store = store;
    }

    public void put(byte[] key, byte[] value) {
        set(key, Optional.of(value));
    }

    public void delete(byte[] key) {
        set(key, Optional.empty());
    }

    private void set(byte[] key, Optional<byte[]> row) {
        undo.push(new Before(key, Optional.ofNullable(rows.put(key, row))));
    }

    /** Keeps what was written since the last call. */
    public void accept() {
        undo.clear();
    }

    /** Takes back what was written since the last {@link #accept}. */
    void reject() {
        while (!undo.isEmpty()) {
            Before before = undo.pop();
            before.row.ifPresentOrElse(row -> rows.put(before.key, row), () -> rows.remove(before.key));
        }
    }

    /** Forgets everything, the group was written or given up. */
    void clear() {
        undo.clear();
        rows.clear();
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
        Optional<Optional<byte[]>> own = own(key);
        return own.isPresent() ? own.get() : store.get(key);
    }

    /** What this group made of a row, which is nothing when it deleted it; empty when it did not touch it. */
    Optional<Optional<byte[]>> own(byte[] key) {
        return Optional.ofNullable(rows.get(key));
    }

    public int size() {
        return rows.size();
    }

    @Override
    public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
        NavigableMap<byte[], Optional<byte[]>> own = new TreeMap<>(Arrays::compareUnsigned);
        own.putAll(rows.subMap(from, true, to, false));
        try (Cursor cursor = store.scan(from, to)) {
            boolean stored = cursor.next();
            while (stored || !own.isEmpty()) {
                int order = !stored ? 1 : own.isEmpty() ? -1 : Arrays.compareUnsigned(cursor.key(), own.firstKey());
                if (order < 0) {
                    if (!visitor.row(cursor.key(), cursor.value())) {
                        return;
                    }
                    stored = cursor.next();
                    continue;
                }
                if (order == 0) {
                    stored = cursor.next();
                }
                Map.Entry<byte[], Optional<byte[]>> first = own.pollFirstEntry();
                if (first.getValue().isPresent()
                        && !visitor.row(first.getKey(), first.getValue().get())) {
                    return;
                }
            }
        }
    }
}
