// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** The adaptive rate, in virtual time, against a model of a store that admits so many requests per second. */
class RateControlTest {
    private static final long SECOND = 1_000_000_000;
    private static final long LATENCY = 5_000_000;
    private static final long BACKOFF = 50_000_000;
    private static final int THREADS = 32;

    private long now;

    private record Event(long at, boolean sent, long reservedAt) {}

    private record Result(double seconds, int served, int throttled) {}

    /** Runs threads that send as fast as the control lets them, until so many requests are served. */
    private Result run(RateControl control, double storeLimit, int requests) {
        PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::at));
        long started = now;
        for (int thread = 0; thread < THREADS; thread++) {
            events.add(new Event(now, false, now));
        }
        double tokens = storeLimit / 10;
        long filledAt = now;
        int served = 0;
        int throttled = 0;
        while (served < requests) {
            Event event = events.remove();
            now = Math.max(now, event.at);
            if (!event.sent) {
                events.add(new Event(now + control.reserve() + LATENCY, true, now));
                continue;
            }
            tokens = Math.min(storeLimit / 10, tokens + (now - filledAt) * storeLimit / SECOND);
            filledAt = now;
            if (tokens >= 1) {
                tokens--;
                served++;
                control.granted();
                events.add(new Event(now, false, now));
            } else {
                throttled++;
                control.throttled(event.reservedAt);
                events.add(new Event(now + BACKOFF, false, now));
            }
        }
        return new Result((now - started) / (double) SECOND, served, throttled);
    }

    @Test
    void storeThatNeverThrottlesIsNotLimited() {
        RateControl control = new RateControl(() -> now);
        run(control, 1e9, 10_000);
        assertThat(control.rate()).isInfinite();
        assertThat(control.reserve()).isZero();
    }

    @Test
    void throttledStoreIsUsedWellAndRarelyAskedInVain() {
        for (double limit : new double[] {30, 300, 3_500}) {
            Result result = run(new RateControl(() -> now), limit, (int) (limit * 60));
            assertThat(result.seconds).as("seconds at %.0f/s", limit).isLessThan(60 * 1.45);
            assertThat(result.throttled).as("throttles at %.0f/s", limit).isLessThan(result.served / 10);
        }
    }

    @Test
    void storeThatRecoversIsUsedAgain() {
        RateControl control = new RateControl(() -> now);
        run(control, 10, 100);
        Result recovered = run(control, 1_000, 30_000);
        assertThat(recovered.seconds).isLessThan(90);
    }

    @Test
    void requestsUnderWayTogetherHalveTheRateOnce() {
        RateControl control = new RateControl(() -> now);
        for (int i = 0; i < 100; i++) {
            now += SECOND / 100;
            control.granted();
        }
        control.throttled(now - LATENCY);
        double halved = control.rate();
        control.throttled(now - LATENCY);
        assertThat(halved).isBetween(45.0, 55.0);
        assertThat(control.rate()).isEqualTo(halved);
    }
}
