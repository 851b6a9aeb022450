// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A source of timestamps for blob names: microseconds that only grow, even when the clock goes back or the worker
 * restarts.
 */
public final class BlobClock {
    private static final byte[] KEY = "t".getBytes(StandardCharsets.US_ASCII);

    private final SortedStore store;
    private final Clock clock;
    private long last;

    private BlobClock(SortedStore store, Clock clock, long last) {
        this.store = store;
        this.clock = clock;
        this.last = last;
    }

    public static BlobClock open(SortedStore store, Clock clock) throws IOException {
        long last =
                store.get(KEY).map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
        return new BlobClock(store, clock, last);
    }

    /** Returns a timestamp larger than all earlier ones; stores it durably first. */
    public synchronized long next() throws IOException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        last = Math.max(last + 1, now);
        byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(last).array();
        store.write(new WriteBatch().put(KEY, value), SortedStore.Sync.FSYNC);
        return last;
    }
}
