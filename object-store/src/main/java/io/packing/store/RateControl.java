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
        roll(nanoClock.getAsLong());
        grantedInWindow++;
        if (!Double.isInfinite(rate)) {
            rate += risePerSecond / rate;
        }
    }

    /**
     * The store throttled a request.
     *
     * @param startedAt when the request was sent: of many that were under way together, one halves the rate
     */
    synchronized void throttled(long startedAt) {
        if (decreased && startedAt - lastDecrease < 0) {
            return;
        }
        long now = nanoClock.getAsLong();
        roll(now);
        double current = Math.min(rate, Math.max(grantedBefore, (double) grantedInWindow));
        rate = Math.max(LEAST_RATE, current / 2);
        risePerSecond = Math.max(LEAST_RATE, current * RISE_PER_SECOND);
        nextStart = now + (long) (NANOS / rate);
        lastDecrease = now;
        decreased = true;
    }

    /** Requests per second now; infinite when the store never throttled. */
    synchronized double rate() {
        return rate;
    }

    private void roll(long now) {
        long passed = now - windowStart;
        if (passed >= WINDOW_NANOS) {
            grantedBefore = grantedInWindow * NANOS / passed;
            grantedInWindow = 0;
            windowStart = now;
        }
    }
}
