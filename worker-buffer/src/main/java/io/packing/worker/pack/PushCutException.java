// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import java.io.IOException;

/** The worker cut the push of a blob that was filling; the blob is pushed when it is complete. */
final class PushCutException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The reason of a cut. */
    enum Cause {
        /** No file came for a while. */
        STALL,
        /** The segment ended long before its announced end. */
        SHORT,
        /** Most files were deleted or overwritten meanwhile. */
        SPARSE,
        /** The footer is larger than its room. */
        FOOTER,
        /** A record does not match its checksum. */
        DAMAGE,
        /** The worker stops. */
        STOP,
        /** The store failed, or was too slow. */
        STORE
    }

    private final Cause why;

    PushCutException(Cause why, String message) {
        super(message);
        this.why = why;
    }

    Cause why() {
        return why;
    }
}
