package io.packing.worker.buffer;

import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The index of the buffer: file id to generation. Written behind, in batches: what it lacks after a crash, the scan of
 * the segments and the master's answer to the reclaim supply.
 */
final class BufferIndex {
    private final SortedStore store;
    private WriteBatch batch = new WriteBatch();

    BufferIndex(SortedStore store) {
        this.store = store;
    }

    /** 0 when it is not known. */
    long generation(long fileId) throws IOException {
        return store.get(key(fileId))
                .map(value -> ByteBuffer.wrap(value).getLong())
                .orElse(0L);
    }

    synchronized void put(long fileId, long generation) {
        batch.put(
                key(fileId), ByteBuffer.allocate(Long.BYTES).putLong(generation).array());
    }

    synchronized void remove(long fileId) {
        batch.delete(key(fileId));
    }

    void flush() throws IOException {
        WriteBatch full;
        synchronized (this) {
            if (batch.isEmpty()) {
                return;
            }
            full = batch;
            batch = new WriteBatch();
        }
        store.write(full, SortedStore.Sync.NONE);
    }

    private static byte[] key(long fileId) {
        return ByteBuffer.allocate(Long.BYTES).putLong(fileId).array();
    }
}
