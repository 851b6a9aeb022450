// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.function.LongSupplier;

/**
 * A shared request rate that adapts to the store. It has no limit until the store throttles, then half of the granted
 * rate, and then rises slowly (additive increase, multiplicative decrease).
 *
 * <p>Each thread reserves a start time and sleeps outside of the lock. Thread-safe.
 */
final class RateControl {
    private static final double LEAST_RATE = 1;
    private static final double NANOS = 1e9;
    /** The rise of a second: from half the rate back to the whole in five seconds. */
    private static final double RISE_PER_SECOND = 0.1;

    /**
     * The least growth per granted request: a rate that was cut far too low doubles every few seconds instead of
     * creeping.
     */
    private static final double LEAST_RISE = 0.2;

    /** The shortest time that measures a rate. */
    private static final long SHORTEST_MEASURE_NANOS = 50_000_000;

    private static final long WINDOW_NANOS = 1_000_000_000;

    private final LongSupplier nanoClock;

    private double rate = Double.POSITIVE_INFINITY;
    private double risePerSecond;
    private long nextStart;
    private long lastDecrease;
    private boolean decreased;

    private long windowStart;
    private long grantedInWindow;
    private double grantedBefore;

    RateControl(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.windowStart = nanoClock.getAsLong();
    }

    /** Reserves the start of one request; returns the nanoseconds to wait for it. */
    synchronized long reserve() {
        if (Double.isInfinite(rate)) {
            return 0;
        }
        long now = nanoClock.getAsLong();
        // Idle time gives no credit: a throttling store takes bursts worst.
        if (nextStart - now < 0) {
            nextStart = now;
        }
        long wait = nextStart - now;
        nextStart += (long) (NANOS / rate);
        return wait;
    }

    /** Notes that the store took a request. */
    synchronized void granted() {
        advance(nanoClock.getAsLong());
        grantedInWindow++;
        if (!Double.isInfinite(rate)) {
            rate += Math.max(risePerSecond / rate, LEAST_RISE);
        }
    }

    /**
     * Notes that the store throttled a request.
     *
     * @param reservedAt time of its reservation: requests scheduled at the old rate say little about the new one
     */
    synchronized void throttled(long reservedAt) {
        if (decreased && reservedAt - lastDecrease < 0) {
            return;
        }
        long now = nanoClock.getAsLong();
        advance(now);
        double grantedNow = grantedInWindow * NANOS / Math.max(now - windowStart, SHORTEST_MEASURE_NANOS);
        double current = Math.min(rate, Math.max(grantedBefore, grantedNow));
        rate = Math.max(LEAST_RATE, current / 2);
        risePerSecond = Math.max(LEAST_RATE, current * RISE_PER_SECOND);
        // The next start comes behind the scheduled ones, not among them.
        long earliest = now + (long) (NANOS / rate);
        if (nextStart - earliest < 0) {
            nextStart = earliest;
        }
        lastDecrease = now;
        decreased = true;
    }

    /** Returns the present requests per second; infinite when the store never throttled. */
    synchronized double rate() {
        return rate;
    }

    private void advance(long now) {
        long passed = now - windowStart;
        if (passed >= WINDOW_NANOS) {
            grantedBefore = grantedInWindow * NANOS / passed;
            grantedInWindow = 0;
            windowStart = now;
        }
    }
}
