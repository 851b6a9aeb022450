// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/** A token bucket that admits requests at a rate, and after a pause up to a second's worth of them at once (§2.4). */
final class RateLimit {
    private static final long SECOND = 1_000_000_000L;

    private final double nanosPerRequest;
    private double due;

    RateLimit(double perSecond) {
        this.nanosPerRequest = SECOND / perSecond;
    }

    /** Returns whether a request is admitted at this instant. */
    boolean admits(long now) {
        double earliest = Math.max(due, now - (double) SECOND);
        if (earliest > now) {
            return false;
        }
        due = earliest + nanosPerRequest;
        return true;
    }
}
