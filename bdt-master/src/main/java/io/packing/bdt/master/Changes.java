package io.packing.bdt.master;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rows that a group of mutations is about to change, over the store: mutations read their own and earlier writes.
 * A mutation's writes are staged until {@link #accept} and vanish with {@link #reject}. Confined to the writer thread.
 */
final class Changes implements Rows {
    private final SortedStore store;
    private final NavigableMap<byte[], Optional<byte[]>> accepted = new TreeMap<>(Arrays::compareUnsigned);
    private final NavigableMap<byte[], Optional<byte[]>> staged = new TreeMap<>(Arrays::compareUnsigned);

    Changes(SortedStore store) {
        this.store = store;
    }

    void put(byte[] key, byte[] value) {
        staged.put(key, Optional.of(value));
    }

    void delete(byte[] key) {
        staged.put(key, Optional.empty());
    }

    void accept() {
        accepted.putAll(staged);
        staged.clear();
    }

    void reject() {
        staged.clear();
    }

    /** Forgets everything, the group was written or given up. */
    void clear() {
        staged.clear();
        accepted.clear();
    }

    boolean isEmpty() {
        return accepted.isEmpty();
    }

    /** The accepted changes in key order; empty values are deletions. */
    Iterable<Map.Entry<byte[], Optional<byte[]>>> all() {
        return accepted.entrySet();
    }

    WriteBatch toBatch() {
        WriteBatch batch = new WriteBatch();
        accepted.forEach((key, value) -> {
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
        return touched(key) ? own(key) : store.get(key);
    }

    /** Whether this group wrote or deleted the row. */
    boolean touched(byte[] key) {
        return staged.containsKey(key) || accepted.containsKey(key);
    }

    /** What this group made of a row that it touched; empty when it deleted it. */
    Optional<byte[]> own(byte[] key) {
        return staged.containsKey(key)
                ? staged.getOrDefault(key, Optional.empty())
                : accepted.getOrDefault(key, Optional.empty());
    }

    int size() {
        return accepted.size();
    }

    @Override
    public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
        NavigableMap<byte[], Optional<byte[]>> own = new TreeMap<>(Arrays::compareUnsigned);
        own.putAll(accepted.subMap(from, true, to, false));
        own.putAll(staged.subMap(from, true, to, false));
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
