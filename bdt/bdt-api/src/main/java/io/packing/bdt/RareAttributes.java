// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Optional;

/**
 * The attributes that only few files and directories have (RFC 0009).
 *
 * @param extended a hash of the extended attributes; 0: the file has none
 * @param nanos of the modification time, beyond its millisecond
 * @param changed the time of the last change of the file or its attributes; empty: its modification time
 * @param links the number of a file's names
 */
public record RareAttributes(long extended, int nanos, Optional<Instant> changed, int links) {
    /** The extras of most files. */
    public static final RareAttributes NONE = new RareAttributes(0, 0, Optional.empty(), 1);

    /** The nanoseconds in a millisecond. */
    public static final int NANOS = 1_000_000;

    public RareAttributes {
        checkNanos(nanos);
        if (links < 1) {
            throw new IllegalArgumentException("a file with %d names".formatted(links));
        }
    }

    /** Makes the extras of a file with one name. */
    public RareAttributes(long extended, int nanos, Optional<Instant> changed) {
        this(extended, nanos, changed, 1);
    }

    static void checkNanos(int nanos) {
        if (nanos < 0 || nanos >= NANOS) {
            throw new IllegalArgumentException("a millisecond has no nanosecond %d".formatted(nanos));
        }
    }

    /** Returns a time of milliseconds since the epoch and nanoseconds beyond the millisecond. */
    public static Instant time(long millis, int nanos) {
        checkNanos(nanos);
        return Instant.ofEpochMilli(millis).plusNanos(nanos);
    }

    /** Returns the nanoseconds of a time beyond its millisecond. */
    public static int nanos(Instant time) {
        return time.get(ChronoField.NANO_OF_SECOND) % NANOS;
    }

    /** Returns whether the file has other names, too. */
    public boolean isLinked() {
        return links > 1;
    }

    /** Returns whether the file has extended attributes. */
    public boolean hasExtended() {
        return extended != 0;
    }
}
