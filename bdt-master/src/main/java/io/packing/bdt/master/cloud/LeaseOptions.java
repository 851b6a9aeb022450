// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.LiveWorkers;
import java.time.Duration;

/**
 * The terms by which a master holds mounts against other masters, and workers hold their ids.
 *
 * @param length for how long a mount is another master's after that one was last heard of
 * @param takeOver whether the operator says that the masters before this one are gone: no lease is waited for
 * @param workers for how long a worker counts as alive after its last heartbeat
 * @param address under which people find this master; empty: what it listens on
 */
public record LeaseOptions(Duration length, boolean takeOver, Duration workers, String address) {
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    /** Workers beat once a second. */
    public static final Duration SHORTEST_OF_WORKERS = Duration.ofSeconds(2);

    public static final Duration LONGEST = Duration.ofHours(1);

    /** A renewal is one PUT: 30 s apart, they cost half a cent a day. Clients wait for a master for 60 s. */
    public static final LeaseOptions USUAL =
            new LeaseOptions(Duration.ofSeconds(45), false, LiveWorkers.USUAL_LEASE, "");

    public LeaseOptions {
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a lease of %s, want one from %s to %s".formatted(length, SHORTEST, LONGEST));
        }
        if (workers.compareTo(SHORTEST_OF_WORKERS) < 0 || workers.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a lease of workers of %s, want one from %s to %s"
                    .formatted(workers, SHORTEST_OF_WORKERS, LONGEST));
        }
    }
}
