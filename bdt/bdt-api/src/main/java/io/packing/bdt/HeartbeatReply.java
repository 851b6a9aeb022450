package io.packing.bdt;

import java.time.Duration;
import java.util.List;

/**
 * The master's orders to a worker.
 *
 * @param lease the time for which the worker counts as alive
 * @param sealNow orders it to seal and push all buffered files, whatever their size or age
 * @param leave orders it to take no new files, push its files, and leave; repeated until it has
 * @param forget ids of files that it may drop: deleted or overwritten while buffered
 */
public record HeartbeatReply(Duration lease, boolean sealNow, boolean leave, List<Long> forget) {
    /** Makes the reply to a worker that may stay. */
    public HeartbeatReply(Duration lease, boolean sealNow, List<Long> forget) {
        this(lease, sealNow, false, forget);
    }

    public HeartbeatReply {
        forget = List.copyOf(forget);
    }
}
