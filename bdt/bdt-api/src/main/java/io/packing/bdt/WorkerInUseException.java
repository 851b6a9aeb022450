// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;
import java.time.Duration;

/**
 * A refusal because another live process has the worker id. Stop it, take another id, or wait until it has been silent
 * for its lease.
 */
public final class WorkerInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String address;
    private final Duration leaseLeft;
    private final boolean presumed;

    /**
     * @param leaseLeft the time for which the other counts as alive without a further heartbeat
     * @param presumed true if the other counts as alive only because the master has just started, and may have ended
     *     before
     */
    public WorkerInUseException(String worker, String address, Duration leaseLeft, boolean presumed) {
        super(
                ("worker id '%s' is in use by a live process at %s: stop that one, or start this one with another id. After a"
                                + " crash the same buffer directory takes over at once, another one in %d s.")
                        .formatted(worker, address, leaseLeft.toSeconds() + 1));
        this.address = address;
        this.leaseLeft = leaseLeft;
        this.presumed = presumed;
    }

    public String address() {
        return address;
    }

    public Duration leaseLeft() {
        return leaseLeft;
    }

    /** Returns whether the master has had no heartbeat of the other since its start. */
    public boolean isPresumed() {
        return presumed;
    }
}
