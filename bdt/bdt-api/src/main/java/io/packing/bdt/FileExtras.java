package io.packing.bdt;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Optional;

/**
 * What few files and directories have beside their attributes (RFC 0009).
 *
 * @param extended tells their extended attributes from others, as a hash of them; 0: there are none
 * @param nanos of the modification time, beyond its millisecond
 * @param changed when the file or its attributes changed last; empty: that is its modification time
 * @param links how many names a file has
 */
public record FileExtras(long extended, int nanos, Optional<Instant> changed, int links) {
    /** What most files have. */
    public static final FileExtras NONE = new FileExtras(0, 0, Optional.empty(), 1);

    /** Nanoseconds in a millisecond. */
    public static final int NANOS = 1_000_000;

    public FileExtras {
        checkNanos(nanos);
        if (links < 1) {
            throw new IllegalArgumentException("a file with %d names".formatted(links));
        }
    }

    /** Of a file with one name. */
    public FileExtras(long extended, int nanos, Optional<Instant> changed) {
        this(extended, nanos, changed, 1);
    }

    static void checkNanos(int nanos) {
        if (nanos < 0 || nanos >= NANOS) {
            throw new IllegalArgumentException("a millisecond has no nanosecond %d".formatted(nanos));
        }
    }

    /** A time of milliseconds since the epoch and nanoseconds beyond the millisecond. */
    public static Instant time(long millis, int nanos) {
        checkNanos(nanos);
        return Instant.ofEpochMilli(millis).plusNanos(nanos);
    }

    /** The nanoseconds of a time beyond its millisecond. */
    public static int nanos(Instant time) {
        return time.get(ChronoField.NANO_OF_SECOND) % NANOS;
    }

    /** Whether the file has other names, too. */
    public boolean isLinked() {
        return links > 1;
    }

    /** Whether there are extended attributes. */
    public boolean hasExtended() {
        return extended != 0;
    }
}
