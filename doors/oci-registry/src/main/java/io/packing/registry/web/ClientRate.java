// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The rate at which a client sends or takes bytes, over the time in which the server waits for it alone. One that is
 * slower than any network would hold a thread for as long as it likes. Confined to one thread.
 */
public final class ClientRate {
    /** For so long in all a client may be as slow as it likes. */
    static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The least rate after that time. */
    static final long LEAST_BYTES_PER_SECOND = 1_000;

    private final LongSupplier nanoTime;
    private long waitedNanos;
    private long bytes;

    public ClientRate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Notes that the server begins to wait; returns the argument of {@link #moved}. */
    public long waits() {
        return nanoTime.getAsLong();
    }

    /**
     * Notes that bytes have come or gone.
     *
     * @throws IOException when the client is too slow
     */
    public void moved(long since, long more) throws IOException {
        waitedNanos += nanoTime.getAsLong() - since;
        bytes += more;
        double seconds = Duration.ofNanos(waitedNanos).minus(PATIENCE).toMillis() / 1e3;
        if (bytes < seconds * LEAST_BYTES_PER_SECOND) {
            throw new IOException("the client moved %d bytes while it was waited for %d s: it is too slow"
                    .formatted(bytes, Duration.ofNanos(waitedNanos).toSeconds()));
        }
    }
}
