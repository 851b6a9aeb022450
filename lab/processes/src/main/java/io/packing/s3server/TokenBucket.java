// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.util.function.LongSupplier;

/** A limit of requests per second, with bursts of a tenth of it. Thread-safe. */
final class TokenBucket {
    private static final double NANOS = 1e9;

    private final double perSecond;
    private final double burst;
    private final LongSupplier nanoClock;
    private double tokens;
    private long filledAt;

    TokenBucket(double perSecond, LongSupplier nanoClock) {
        this.perSecond = perSecond;
        this.burst = Math.max(1, perSecond / 10);
        this.nanoClock = nanoClock;
        this.tokens = burst;
        this.filledAt = nanoClock.getAsLong();
    }

    synchronized boolean tryTake() {
        long now = nanoClock.getAsLong();
        tokens = Math.min(burst, tokens + (now - filledAt) * perSecond / NANOS);
        filledAt = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
