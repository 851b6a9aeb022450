package io.packing.bdt.master;

import java.time.Duration;

/**
 * How a master holds its mounts against other masters.
 *
 * @param length for how long a mount is another master's after that one was last heard of
 * @param takeOver whether the operator says that the masters before this one are gone: no lease is waited for
 * @param address under which people find this master; empty: what it listens on
 */
public record LeaseTerms(Duration length, boolean takeOver, String address) {
    static final Duration SHORTEST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofHours(1);

    /** A renewal is one PUT: 30 s apart, they cost half a cent a day. Clients wait for a master for 60 s. */
    public static final LeaseTerms USUAL = new LeaseTerms(Duration.ofSeconds(45), false, "");

    public LeaseTerms {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a lease of %s, want one from %s to %s".formatted(length, SHORTEST, LONGEST));
        }
    }
}
