package io.packing.bdt;

import java.time.Duration;
import java.util.List;

/**
 * What the master tells a worker.
 *
 * @param lease for how long the worker counts as alive
 * @param sealNow whether everything buffered shall be sealed and pushed without waiting for size or age
 * @param leave whether the worker shall take no new files, push what it has, and leave; said again until it has
 * @param forget file ids whose bytes the worker may drop: deleted or overwritten while buffered
 */
public record HeartbeatReply(Duration lease, boolean sealNow, boolean leave, List<Long> forget) {
    /** That to a worker that may stay. */
    public HeartbeatReply(Duration lease, boolean sealNow, List<Long> forget) {
        this(lease, sealNow, false, forget);
    }

    public HeartbeatReply {
        forget = List.copyOf(forget);
    }
}
