// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import java.io.IOException;

/** A call that the snapshotter refuses, with a reason that containerd acts upon. */
public final class SnapshotRefusal extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reasons; each is called as its status of gRPC. */
    public enum Reason {
        NOT_FOUND,
        ALREADY_EXISTS,
        FAILED_PRECONDITION,
        INVALID_ARGUMENT
    }

    private final Reason reason;

    public SnapshotRefusal(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    static SnapshotRefusal missing(String key) {
        return new SnapshotRefusal(Reason.NOT_FOUND, "snapshot %.300s does not exist".formatted(key));
    }

    static SnapshotRefusal exists(String key) {
        return new SnapshotRefusal(Reason.ALREADY_EXISTS, "snapshot %.300s exists".formatted(key));
    }

    public Reason reason() {
        return reason;
    }
}
