// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.Standing;
import io.packing.bdt.master.upkeep.Losses;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The needs of a mount's users beyond a master that does its work: bytes that are there, and a worker to write to. */
record MountNeeds(Standing standing, Losses losses) {
    /**
     * Returns the needs that are not met, for operators; empty: all are.
     *
     * @param named whether the caller may learn names of files
     */
    Optional<String> unmet(boolean named) {
        List<String> unmet = Stream.of(losses.problem(named), workers())
                .flatMap(Optional::stream)
                .toList();
        return unmet.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", unmet));
    }

    private Optional<String> workers() {
        return standing.withoutWorkers()
                .filter(time -> time.compareTo(Losses.GRACE) >= 0)
                .map(time -> ("no worker has been alive for %d s: every write fails. Start the workers on their buffer"
                                + " directories; of a mount that is only read let the last worker leave with 'packing drain'")
                        .formatted(time.toSeconds()));
    }
}
