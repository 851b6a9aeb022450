// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.SealPolicy;
import java.util.Optional;

/** The cause for which a blob was sealed. */
public enum SealCause {
    /** The blob reached the most bytes or files of a blob. */
    SIZE,
    /** The first file reached its age. */
    AGE,
    /** No file came for a while. */
    QUIET,
    /** The budget for PUTs allowed one. */
    BUDGET,
    /** No push was under way, and the blob was worth a PUT. */
    IDLE,
    /** Creators waited for space. */
    PRESSURE,
    /** A flush or the master ordered it. */
    ORDER,
    /** Closers waited for their upload. */
    UPLOAD,
    /** Its one large file was closed. */
    LARGE,
    /** An earlier process left it. */
    RESTART;

    static SealCause of(SealPolicy.Cause cause) {
        return switch (cause) {
            case AGE -> AGE;
            case QUIET -> QUIET;
            case BUDGET -> BUDGET;
        };
    }

    /** Returns the rule's cause, if the rule sealed the blob. */
    Optional<SealPolicy.Cause> rule() {
        return switch (this) {
            case AGE -> Optional.of(SealPolicy.Cause.AGE);
            case QUIET -> Optional.of(SealPolicy.Cause.QUIET);
            case BUDGET -> Optional.of(SealPolicy.Cause.BUDGET);
            default -> Optional.empty();
        };
    }
}
