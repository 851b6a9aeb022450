// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/**
 * A conversion of nanoseconds to whole ticks, rounded down, by a multiplication: a division would cost more than all
 * else.
 */
final class Ticks {
    /** Below this a double holds every integer. */
    private static final long EXACT = 1L << 52;

    private final long nanos;
    private final double perNano;

    Ticks(int nanos) {
        this.nanos = nanos;
        this.perNano = 1.0 / nanos;
    }

    long of(long time) {
        if (time <= -EXACT || time >= EXACT) {
            return Math.floorDiv(time, nanos);
        }
        // The product may be off by one, either way.
        long ticks = (long) (time * perNano);
        long rest = time - ticks * nanos;
        if (rest < 0) {
            return ticks - 1;
        }
        return rest >= nanos ? ticks + 1 : ticks;
    }
}
