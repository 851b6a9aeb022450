// SPDX-License-Identifier: Apache-2.0
package io.packing.seed;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** A clock with the time that a test chooses. */
public final class GivenClock extends Clock {
    private final Supplier<Instant> now;

    public GivenClock(Supplier<Instant> now) {
        this.now = now;
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a test's clock has no time zone");
    }
}
