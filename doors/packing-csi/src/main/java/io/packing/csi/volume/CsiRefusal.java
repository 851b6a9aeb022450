// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import java.io.IOException;

/** A refusal of a call, with the reason that the orchestrator acts on. */
public final class CsiRefusal extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reasons, which are called as the statuses of the interface are. */
    public enum Reason {
        INVALID_ARGUMENT,
        NOT_FOUND,
        ALREADY_EXISTS,
        OUT_OF_RANGE,
        FAILED_PRECONDITION,
        /** Another call about the same object is under way, or a token of a listing is none. */
        ABORTED
    }

    private final Reason reason;

    public CsiRefusal(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public CsiRefusal(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Returns the refusal of a request that no other try mends. */
    public static CsiRefusal invalid(String message) {
        return new CsiRefusal(Reason.INVALID_ARGUMENT, message);
    }
}
