package io.packing.store;

import java.util.function.LongSupplier;

/**
 * A shared request rate that adapts to what the store bears: no limit until the store throttles, then half of the rate that
 * it granted, then a slow rise (additive increase, multiplicative decrease).
 *
 * <p>Threads reserve a start time each and sleep outside of the lock. Thread-safe.
 */
final class RateControl {
    private static final double LEAST_RATE = 1;
    private static final double NANOS = 1e9;
    /** From half the rate back to the whole in five seconds. */
    private static final double RISE_PER_SECOND = 0.1;

    /** Growth per granted request: a rate that was cut far too low doubles every few seconds instead of creeping. */
    private static final double LEAST_RISE = 0.2;

    /** Less time than this says nothing about a rate. */
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

    /** Reserves the start of one request; returns how long to wait for it, nanoseconds. */
    synchronized long reserve() {
        if (Double.isInfinite(rate)) {
            return 0;
        }
        long now = nanoClock.getAsLong();
        // No credit for idle time: a store that throttles takes bursts worst.
        if (nextStart - now < 0) {
            nextStart = now;
        }
        long wait = nextStart - now;
        nextStart += (long) (NANOS / rate);
        return wait;
    }

    /** The store took a request. */
    synchronized void granted() {
        advance(nanoClock.getAsLong());
        grantedInWindow++;
        if (!Double.isInfinite(rate)) {
            rate += Math.max(risePerSecond / rate, LEAST_RISE);
        }
    }

    /**
     * The store throttled a request.
     *
     * @param reservedAt when its start was reserved: what was scheduled at the old rate says nothing about the new one
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
        // Behind what is scheduled already, not among it.
        long earliest = now + (long) (NANOS / rate);
        if (nextStart - earliest < 0) {
            nextStart = earliest;
        }
        lastDecrease = now;
        decreased = true;
    }

    /** Requests per second now; infinite when the store never throttled. */
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
