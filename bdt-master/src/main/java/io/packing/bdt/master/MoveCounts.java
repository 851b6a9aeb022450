// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.packing.bdt.MoveProgress;

/** Counts the moves of mounts from this master to other groups; docs/metrics.md lists the names. Thread-safe. */
final class MoveCounts {
    private final Counter started;
    private final Counter done;
    private final Counter undone;
    private final Counter waited;

    MoveCounts(MeterRegistry registry) {
        this.started = Counter.builder("bdt.mount.moves.started")
                .description("Moves of mounts to other groups that were begun here.")
                .register(registry);
        this.done = ended(registry, "done");
        this.undone = ended(registry, "undone");
        this.waited = Counter.builder("bdt.mount.moves.waited.seconds")
                .description("For how long changes of mounts waited in their moves, together.")
                .register(registry);
    }

    private static Counter ended(MeterRegistry registry, String outcome) {
        return Counter.builder("bdt.mount.moves.ended")
                .description("Moves of mounts to other groups that ended here.")
                .tag("outcome", outcome)
                .register(registry);
    }

    void started() {
        started.increment();
    }

    void ended(MoveProgress move) {
        (move.state() == MoveProgress.State.DONE ? done : undone).increment();
        waited.increment(move.frozen().toNanos() / 1e9);
    }
}
