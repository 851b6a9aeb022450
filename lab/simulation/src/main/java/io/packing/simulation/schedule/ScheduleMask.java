// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Set;

/**
 * The parts of a schedule that are left out. All decisions come from one source, so that a mask makes another schedule of a seed.
 *
 * @param without the kinds of faults that do not happen
 * @param mostFaults the number of faults of machines after which no further one begins
 * @param clients the number of clients, at least one
 */
public record ScheduleMask(Set<FaultKind> without, int mostFaults, int clients) {
    private static final int CLIENTS = 3;

    /** Leaves nothing out. */
    public static final ScheduleMask NONE = new ScheduleMask(Set.of(), Integer.MAX_VALUE, CLIENTS);

    public ScheduleMask {
        without = Set.copyOf(without);
        if (mostFaults < 0 || clients < 1 || clients > CLIENTS) {
            throw new IllegalArgumentException("%d faults of machines, %d clients: at least 0, and 1 to %d"
                    .formatted(mostFaults, clients, CLIENTS));
        }
    }

    /** Returns true if a kind of fault may happen. */
    public boolean allows(FaultKind kind) {
        return !without.contains(kind);
    }
}
