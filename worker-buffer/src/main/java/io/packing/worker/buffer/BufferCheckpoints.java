// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The schedule by which a buffer writes its index, with the checkpoint of each segment up to which the next start does
 * not scan it. Many rows at once cost little more than one. One thread at a time calls it.
 */
final class BufferCheckpoints {
    /** The changed rows after which the index is written; a start after a crash scans about as many records. */
    private static final int MOST_ROWS = 1_000;

    /** The time after which the index is written, however little has changed. */
    static final long MOST_NANOS = 200_000_000L;

    private final BufferState state;
    private final BufferIndex index;
    private final SegmentFiles files;
    private final Optional<ValueStore> values;
    private final Optional<SegmentGrants> grants;
    private final LongSupplier nanoTime;
    private long takenAt;

    /** @param grants that must survive a loss of power; empty: the mount does not promise it */
    BufferCheckpoints(
            BufferState state,
            BufferIndex index,
            SegmentFiles files,
            Optional<ValueStore> values,
            Optional<SegmentGrants> grants,
            LongSupplier nanoTime) {
        this.state = state;
        this.index = index;
        this.files = files;
        this.values = values;
        this.grants = grants;
        this.nanoTime = nanoTime;
        this.takenAt = nanoTime.getAsLong();
    }

    /** Takes a checkpoint when enough has changed or it is due. */
    void takeInTime() throws IOException {
        long now = nanoTime.getAsLong();
        if (index.unwritten() >= MOST_ROWS || now - takenAt >= MOST_NANOS) {
            takenAt = now;
            take();
        }
    }

    /** Returns the time until the next checkpoint is due if no row changes, in nanoseconds. */
    long restNanos() {
        return index.unwritten() == 0 ? Long.MAX_VALUE : takenAt + MOST_NANOS - nanoTime.getAsLong();
    }

    void take() throws IOException {
        state.checkpoint();
        index.flush();
        if (grants.isPresent()) {
            grants.get().force();
        }
        files.expire();
        if (values.isPresent()) {
            values.get().sweep();
        }
    }
}
