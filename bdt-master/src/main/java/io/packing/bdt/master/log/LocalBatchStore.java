// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;

/** A log and a store on this machine: one record of the log for a batch, one sync, and then the store. */
public final class LocalBatchStore implements BatchStore {
    private final SortedStore store;
    private final MutationLog mutationLog;

    /** @param store with all that the log has; both are closed with this */
    public LocalBatchStore(SortedStore store, MutationLog mutationLog) {
        this.store = store;
        this.mutationLog = mutationLog;
    }

    /** Returns whether only mutations that survive a power loss are answered. */
    public boolean isSynced() {
        return mutationLog.isSynced();
    }

    @Override
    public SortedStore rows() {
        return store;
    }

    @Override
    public void write(long firstPosition, long lastPosition, WriteSet rows, Runnable writing) throws IOException {
        byte[] payload = BatchRecord.encode(firstPosition, lastPosition, rows);
        long mark = mutationLog.mark();
        mutationLog.append(firstPosition, payload);
        try {
            if (mutationLog.isSynced()) {
                syncLog();
            }
            writing.run();
            store.write(rows.toBatch(), SortedStore.Sync.NONE);
        } catch (DiskFullException e) {
            // Nothing was written to the store: take the batch back, so that the log does not promise it.
            takeBack(mark);
            throw e;
        }
    }

    private void syncLog() throws IOException {
        try {
            mutationLog.sync();
        } catch (IOException e) {
            throw DiskFullException.isCauseOf(e) ? new DiskFullException("%s".formatted(e.getMessage()), e) : e;
        }
    }

    private void takeBack(long mark) throws IOException {
        try {
            mutationLog.truncate(mark);
            if (mutationLog.isSynced()) {
                mutationLog.sync();
            }
        } catch (DiskFullException e) {
            // Not a refusal: the log may still promise the batch.
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void tidy() throws IOException {
        if (mutationLog.isLong()) {
            store.write(new WriteBatch().put(Keys.named(Keys.META, "synced"), new byte[0]), SortedStore.Sync.FSYNC);
            mutationLog.trim();
        }
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public long keptFreeBytes() {
        return store.keptFreeBytes();
    }

    @Override
    public void close() throws IOException {
        try (mutationLog) {
            mutationLog.sync();
        } finally {
            store.close();
        }
    }
}
