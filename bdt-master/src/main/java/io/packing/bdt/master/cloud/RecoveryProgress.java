// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The progress of a mount's opening, for operators. The opening threads update it, any thread reads it. */
public final class RecoveryProgress {
    /** The total of a phase with an unknown end. */
    public static final long UNKNOWN = -1;

    private final LongSupplier nanos;
    private final long since;
    private final AtomicLong done = new AtomicLong();
    private volatile Phase phase = new Phase("begins", UNKNOWN);

    private record Phase(String name, long total) {}

    /** One that begins now. */
    public RecoveryProgress(LongSupplier nanos) {
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /**
     * Begins a phase.
     *
     * @param total how many steps it has, or {@link #UNKNOWN}
     */
    public void phase(String name, long total) {
        done.set(0);
        phase = new Phase(name, total);
    }

    /** A step of the phase is done. */
    void step() {
        done.incrementAndGet();
    }

    public String phase() {
        return phase.name();
    }

    /** Steps of the phase that are done. */
    public long done() {
        return done.get();
    }

    /** Steps that the phase has, or {@link #UNKNOWN}. */
    public long total() {
        return phase.total();
    }

    /** For how long the mount is being opened. */
    public Duration time() {
        return Duration.ofNanos(nanos.getAsLong() - since);
    }
}
