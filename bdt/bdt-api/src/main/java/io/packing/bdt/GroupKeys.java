package io.packing.bdt;

import io.packing.transport.token.KeyRing;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What one group of masters tells the others of the tokens that it issues.
 *
 * @param group its name; empty: the master is of no group
 * @param now when it says this, by its own clock
 * @param life no token of the group lives longer
 * @param renewal for how long its tokens are valid without being renewed
 * @param ring its keys, and which of its tokens are refused
 * @param renewedUntil until when each other token of a job is valid unless it is renewed, by sequence number
 */
public record GroupKeys(
        String group, Instant now, Duration life, Duration renewal, KeyRing ring, Map<Long, Instant> renewedUntil) {
    /** Nothing that a group says makes a time that cannot be computed with. */
    private static final Duration LONGEST_LIFE = Duration.ofDays(36_500);

    public GroupKeys {
        if (renewal.isNegative()
                || renewal.isZero()
                || life.compareTo(renewal) < 0
                || life.compareTo(LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException("group '%s' says that its tokens live for %s and are renewed every %s"
                    .formatted(group, life, renewal));
        }
        renewedUntil = Map.copyOf(renewedUntil);
    }

    /** Whether it says as much as another one, at whatever time. */
    public boolean saysTheSameAs(GroupKeys other) {
        return new GroupKeys(group, other.now, life, renewal, ring, renewedUntil).equals(other);
    }
}
