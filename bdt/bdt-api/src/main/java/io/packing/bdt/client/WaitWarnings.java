// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Warnings of a client whose calls wait for a master that does not answer: one after two seconds, then one in half a minute.
 * A daemon that waits for a minute at its start says so before a user gives it up. Thread-safe.
 */
final class WaitWarnings implements Retry.Waits {
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(3);
    private static final Duration BETWEEN = Duration.ofSeconds(30);

    private final String masters;
    private final LongSupplier nanoClock;
    private final Consumer<String> log;
    /** The time before which no further warning is due. */
    private final AtomicLong quietUntil;

    WaitWarnings(String masters, LongSupplier nanoClock, Consumer<String> log) {
        this.masters = masters;
        this.nanoClock = nanoClock;
        this.log = log;
        this.quietUntil = new AtomicLong(nanoClock.getAsLong());
    }

    @Override
    public void attemptFailed(String what, Duration waited, Duration left, String last) {
        if (waited.compareTo(FIRST) < 0 || left.compareTo(SOON) < 0) {
            // A call that gives up soon says the same in its failure.
            return;
        }
        long now = nanoClock.getAsLong();
        long until = quietUntil.get();
        if (now - until >= 0 && quietUntil.compareAndSet(until, now + BETWEEN.toNanos())) {
            log.accept("no BDT master at %s answers (%s); tries for %d s more. Check that it runs, and the address"
                    .formatted(masters, last, left.toSeconds()));
        }
    }
}
