// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import java.time.Duration;

/**
 * The options of a synthetic trace.
 *
 * <p>The trace is a copy of the paper's 8.3 days with fewer files and requests: {@code events} of the 5.2 billion.
 * Sizes of files and requests, lifetimes and intervals stay. A {@code length} other than 8.3 days scales all times.
 *
 * @param events approximate number of this machine's events (within a percent)
 * @param seed determines the trace byte for byte; another seed gives another trace with equal statistics
 * @param length time from the first event to the last
 * @param machine number of the machine; its name and the seed's random values depend on it
 */
public record SynthOptions(long events, long seed, Duration length, int machine) {
    /** The least number of events. A shorter trace has no large file and cannot have the paper's shares. */
    public static final long LEAST_EVENTS = 1_000_000;

    /** The paper's length: 8.3 days (§3.2.1). */
    public static final Duration DEFAULT_LENGTH = Duration.ofMinutes(11_952);

    public SynthOptions {
        if (events < LEAST_EVENTS) {
            throw new IllegalArgumentException(
                    "events: %,d are too few to have the paper's shares; %,d at least".formatted(events, LEAST_EVENTS));
        }
        if (length.compareTo(Duration.ofMinutes(1)) < 0 || length.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException("length: from a minute to a year, not " + length);
        }
        if (machine < 0 || machine > 10_000) {
            throw new IllegalArgumentException("machine: from 0 to 10,000, not " + machine);
        }
    }

    public static SynthOptions of(long events, long seed) {
        return new SynthOptions(events, seed, DEFAULT_LENGTH, 0);
    }
}
