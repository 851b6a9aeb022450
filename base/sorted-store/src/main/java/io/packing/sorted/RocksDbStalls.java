// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.WriteStallInfo;

/**
 * The waits of writes while RocksDB's memory tables, or its youngest level, are full. RocksDB itself would keep the
 * write, and with it the close of the store, as long as the disk is full. Thread-safe.
 */
final class RocksDbStalls extends AbstractEventListener {
    /** The longest wait before another try without a signal from RocksDB. */
    private static final long LONGEST_WAIT_MILLIS = 10;

    private volatile CompletableFuture<Boolean> change = new CompletableFuture<>();

    RocksDbStalls() {
        super(EnabledEventCallback.ON_STALL_CONDITIONS_CHANGED);
    }

    /** Returns the future to {@link #await} if the write that begins now is put off. */
    CompletableFuture<Boolean> nextChange() {
        return change;
    }

    /** Waits for a change, or for a moment. */
    static void await(CompletableFuture<Boolean> change) {
        boolean unused = change.copy()
                .completeOnTimeout(false, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    @Override
    public synchronized void onStallConditionsChanged(WriteStallInfo stall) {
        CompletableFuture<Boolean> told = change;
        change = new CompletableFuture<>();
        told.complete(true);
    }
}
