// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * A store that starts at most so many writing requests (PUT, LIST, DELETE) per second on the one behind; the others
 * wait.
 */
public final class RateLimitedObjectStore extends DecoratedObjectStore {
    private static final long NANOS = 1_000_000_000;

    private final long intervalNanos;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final Object lock = new Object();
    private long nextStart;

    /**
     * @param perSecond the most requests that start in a second
     * @param nanoClock {@code System::nanoTime}
     * @param pause {@code Thread::sleep}
     */
    public RateLimitedObjectStore(ObjectStore store, int perSecond, LongSupplier nanoClock, Pause pause) {
        super(store);
        if (perSecond <= 0) {
            throw new IllegalArgumentException("a limit of %d requests per second".formatted(perSecond));
        }
        this.intervalNanos = NANOS / perSecond;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.nextStart = nanoClock.getAsLong();
    }

    @Override
    <T> T around(RequestKind kind, Call<T> call, Moved<T> moved) throws IOException {
        if (kind != RequestKind.GET && kind != RequestKind.HEAD) {
            awaitTurn();
        }
        return call.run();
    }

    private void awaitTurn() throws IOException {
        long wait;
        synchronized (lock) {
            long now = nanoClock.getAsLong();
            if (nextStart - now < 0) {
                nextStart = now;
            }
            wait = nextStart - now;
            nextStart += intervalNanos;
        }
        long millis = (wait + 999_999) / 1_000_000;
        if (millis > 0) {
            try {
                pause.millis(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Attempts.interrupted("wait for the request rate", e);
            }
        }
    }
}
