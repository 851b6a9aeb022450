// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A view of a store whose close does nothing. */
record BorrowedStore(SortedStore owned) implements SortedStore {
    @Override
    public void write(WriteBatch batch, Sync sync) throws IOException {
        owned.write(batch, sync);
    }

    @Override
    public SortedView view() throws IOException {
        return owned.view();
    }

    @Override
    public long sizeOnDisk() throws IOException {
        return owned.sizeOnDisk();
    }

    @Override
    public long keptFreeBytes() {
        return owned.keptFreeBytes();
    }

    @Override
    public Optional<byte[]> get(byte[] key) throws IOException {
        return owned.get(key);
    }

    @Override
    public Cursor scan(byte[] from, byte[] to) throws IOException {
        return owned.scan(from, to);
    }

    @Override
    public Optional<Map.Entry<byte[], byte[]>> first(byte[] from, byte[] to) throws IOException {
        return owned.first(from, to);
    }

    @Override
    public void close() {
        // The owner closes the store.
    }
}
