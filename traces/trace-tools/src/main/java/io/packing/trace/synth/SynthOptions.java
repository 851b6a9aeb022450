package io.packing.trace.synth;

import java.time.Duration;

/**
 * Which trace to make.
 *
 * <p>The trace is a copy of the paper's 8.3 days with fewer files and requests: {@code events} of the 5.2 billion, with
 * all sizes of files and requests, lifetimes and intervals kept. A {@code length} other than 8.3 days makes all times
 * proportionally shorter or longer.
 *
 * @param events events of this machine, about (within a percent)
 * @param seed the same seed gives the same trace to the byte; another one another trace of the same statistics
 * @param length time from the first event to the last
 * @param machine number of the machine, part of its name and of what the seed makes
 */
public record SynthOptions(long events, long seed, Duration length, int machine) {
    /** Below this a trace has no large file and cannot have the paper's shares. */
    public static final long LEAST_EVENTS = 1_000_000;

    /** The paper's: 8.3 days (§3.2.1). */
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
