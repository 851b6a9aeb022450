// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ServerCall;
import io.packing.bdt.BusyException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Refuses calls while the master is behind, those first that can wait (RFC 0014). Without it, calls that wait for the queue of a mount's
 * writer would take the threads of all others. Thread-safe.
 */
public final class QueueGate extends Refusing {
    /** Above this share of the queue, what reads much is refused. */
    static final double BEHIND = 0.5;
    /** Above this one, changes too. */
    static final double FAR_BEHIND = 0.9;

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Set<String> LARGE_READS = Set.of("List", "Find", "Scan", "Statistics");
    private static final Set<String> CHANGES =
            Set.of("Mkdir", "Delete", "Rename", "SetAttributes", "SetQuota", "Apply");

    private final DoubleSupplier filled;

    /** @param filled how full the fullest queue of a mount's writer is, from 0 to 1 */
    public QueueGate(DoubleSupplier filled) {
        this.filled = filled;
    }

    @Override
    Optional<BusyException> refusal(ServerCall<?, ?> call, String method) {
        return refusal(method);
    }

    Optional<BusyException> refusal(String method) {
        boolean read = LARGE_READS.contains(method);
        if (!read && !CHANGES.contains(method)) {
            return Optional.empty();
        }
        double now = filled.getAsDouble();
        return now < (read ? BEHIND : FAR_BEHIND)
                ? Optional.empty()
                : Optional.of(new BusyException(
                        "the master is behind with changes, its queue is %d percent full: %s is refused for now"
                                .formatted(Math.round(100 * now), method),
                        WAIT));
    }
}
