// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import java.time.Duration;

/**
 * A link between two machines: its round trip and its rate in each direction. All wires over a link share it.
 *
 * @param roundTrip time of a byte and its answer, half of it each way
 * @param bytesPerSecond each way; 0: no limit
 */
public record NetworkLink(Duration roundTrip, long bytesPerSecond) {
    /** The link that delays nothing. */
    public static final NetworkLink NONE = new NetworkLink(Duration.ZERO, 0);

    public NetworkLink {
        if (roundTrip.isNegative() || bytesPerSecond < 0) {
            throw new IllegalArgumentException("a link with %s and %d bytes/s".formatted(roundTrip, bytesPerSecond));
        }
    }

    /** Returns a link of milliseconds and megabytes (of a million bytes) per second. */
    public static NetworkLink of(double millis, double megabytesPerSecond) {
        return new NetworkLink(Duration.ofNanos(Math.round(millis * 1e6)), Math.round(megabytesPerSecond * 1e6));
    }

    /** Returns whether the link delays nothing. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** A direction of a link. It computes the arrival of bytes. Thread-safe. */
    static final class Direction {
        private final long halfNanos;
        private final long bytesPerSecond;
        private long free = Long.MIN_VALUE;

        Direction(NetworkLink link) {
            this.halfNanos = link.roundTrip().toNanos() / 2;
            this.bytesPerSecond = link.bytesPerSecond();
        }

        /**
         * Returns the time at which the last of {@code bytes} bytes arrives, in nanoseconds on the clock of
         * {@code now}.
         */
        synchronized long arrival(long now, int bytes) {
            if (bytesPerSecond == 0) {
                return now + halfNanos;
            }
            long start = free == Long.MIN_VALUE ? now : Math.max(now, free);
            free = start + Math.round(bytes * 1e9 / bytesPerSecond);
            return free + halfNanos;
        }
    }
}
