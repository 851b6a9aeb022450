package io.packing.bdt.master.cloud;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** How far the opening of a mount is, for operators. Told by the threads that open it, asked by any. */
public final class RecoveryProgress {
    /** Where the end of a phase is that nobody can tell. */
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
     * What is done now.
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
