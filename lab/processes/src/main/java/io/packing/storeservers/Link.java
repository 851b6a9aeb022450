package io.packing.storeservers;

import java.time.Duration;

/**
 * What connects two machines: how long a round trip takes, and how many bytes pass in a second, each way. All wires over one link share it.
 *
 * @param roundTrip of a byte and the answer to it, half of it each way
 * @param bytesPerSecond each way; 0: no limit
 */
public record Link(Duration roundTrip, long bytesPerSecond) {
    /** As good as none. */
    public static final Link NONE = new Link(Duration.ZERO, 0);

    public Link {
        if (roundTrip.isNegative() || bytesPerSecond < 0) {
            throw new IllegalArgumentException("a link with %s and %d bytes/s".formatted(roundTrip, bytesPerSecond));
        }
    }

    /** A link of milliseconds and megabytes (of a million bytes) a second. */
    public static Link of(double millis, double megabytesPerSecond) {
        return new Link(Duration.ofNanos(Math.round(millis * 1e6)), Math.round(megabytesPerSecond * 1e6));
    }

    /** Whether it is there at all. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** One way of a link: says when bytes that are sent now arrive. Thread-safe. */
    static final class Way {
        private final long halfNanos;
        private final long bytesPerSecond;
        private long free = Long.MIN_VALUE;

        Way(Link link) {
            this.halfNanos = link.roundTrip().toNanos() / 2;
            this.bytesPerSecond = link.bytesPerSecond();
        }

        /** When the last of so many bytes arrives, in nanoseconds of the clock that says {@code now}. */
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
