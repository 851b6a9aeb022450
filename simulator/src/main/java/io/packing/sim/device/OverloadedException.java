// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

/** A trace that asks more of a device than it can give: the queue only grows, and no latency would mean anything. */
public final class OverloadedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    OverloadedException(int waiting, long time) {
        super("a disk is overloaded: %,d requests wait after %.1f s of virtual time; take more disks or a shorter trace"
                .formatted(waiting, time / 1e9));
    }
}
