// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.transport.token.KeyRing;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A master group's keys and terms for its tokens, for the other groups.
 *
 * @param group its name; empty: the master is in no group
 * @param now the group's time of this report, by its own clock
 * @param life the longest life of a token
 * @param renewal the time for which a token is valid without a renewal
 * @param ring its keys, and its refused tokens
 * @param renewedUntil the end of each other token of a job without a renewal, by sequence number
 */
public record MasterGroupKeys(
        String group, Instant now, Duration life, Duration renewal, KeyRing ring, Map<Long, Instant> renewedUntil) {
    /** The longest life that a group may report: times stay in the range of computations. */
    private static final Duration LONGEST_LIFE = Duration.ofDays(36_500);

    public MasterGroupKeys {
        if (renewal.isNegative()
                || renewal.isZero()
                || life.compareTo(renewal) < 0
                || life.compareTo(LONGEST_LIFE) > 0) {
            throw new IllegalArgumentException("group '%s' says that its tokens live for %s and are renewed every %s"
                    .formatted(group, life, renewal));
        }
        renewedUntil = Map.copyOf(renewedUntil);
    }

    /** Returns whether both reports agree, apart from their times. */
    public boolean saysTheSameAs(MasterGroupKeys other) {
        return new MasterGroupKeys(group, other.now, life, renewal, ring, renewedUntil).equals(other);
    }
}
