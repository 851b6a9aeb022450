// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A store in memory that calls a test before each of its writes, and can be copied as it is then. */
final class RecordingStore implements SortedStore {
    /** The call before a write. */
    interface Before {
        void write(RecordingStore store) throws IOException;
    }

    private final NavigableMap<byte[], byte[]> entries;
    private final Before before;

    RecordingStore(Before before) {
        this(new TreeMap<>(Arrays::compareUnsigned), before);
    }

    private RecordingStore(NavigableMap<byte[], byte[]> entries, Before before) {
        this.entries = entries;
        this.before = before;
    }

    synchronized RecordingStore copy() {
        TreeMap<byte[], byte[]> same = new TreeMap<>(Arrays::compareUnsigned);
        same.putAll(entries);
        return new RecordingStore(same, store -> {});
    }

    @Override
    public synchronized Optional<byte[]> get(byte[] key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public synchronized void write(WriteBatch batch, Sync sync) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        before.write(this);
        batch.forEach(new WriteBatch.Visitor() {
            @Override
            public void put(byte[] key, byte[] value) {
                entries.put(key, value);
            }

            @Override
            public void delete(byte[] key) {
                entries.remove(key);
            }
        });
    }

    @Override
    public synchronized Cursor scan(byte[] from, byte[] to) {
        TreeMap<byte[], byte[]> range = new TreeMap<>(Arrays::compareUnsigned);
        range.putAll(to.length == 0 ? entries.tailMap(from) : entries.subMap(from, to));
        Iterator<Map.Entry<byte[], byte[]>> iterator = range.entrySet().iterator();
        return new Cursor() {
            private byte[] key = {};
            private byte[] value = {};

            @Override
            public boolean next() {
                if (!iterator.hasNext()) {
                    return false;
                }
                Map.Entry<byte[], byte[]> entry = iterator.next();
                key = entry.getKey();
                value = entry.getValue();
                return true;
            }

            @Override
            public byte[] key() {
                return key;
            }

            @Override
            public byte[] value() {
                return value;
            }

            @Override
            public void close() {
                // It holds no resource.
            }
        };
    }

    @Override
    public SortedView view() {
        return copy();
    }

    @Override
    public long sizeOnDisk() {
        return 0;
    }

    @Override
    public void close() {
        // The copies live on.
    }
}
