package io.packing.worker.buffer;

import io.packing.blob.SealRule;
import java.util.Optional;

/** Why a blob was sealed when it was. */
public enum SealCause {
    /** It had as many bytes or files as a blob may have. */
    SIZE,
    /** Its first file was old. */
    AGE,
    /** Nothing came for a while. */
    QUIET,
    /** The money for PUTs allowed one. */
    BUDGET,
    /** No push was under way, and it was worth a PUT. */
    IDLE,
    /** Creators waited for room. */
    PRESSURE,
    /** A flush, or the master, asked for it. */
    ORDER,
    /** Closers waited for their upload. */
    UPLOAD,
    /** It holds one large file, which is closed. */
    LARGE,
    /** An earlier process left it. */
    RESTART;

    static SealCause of(SealRule.Cause cause) {
        return switch (cause) {
            case AGE -> AGE;
            case QUIET -> QUIET;
            case BUDGET -> BUDGET;
        };
    }

    /** The same for the rule, if it was the rule's. */
    Optional<SealRule.Cause> rule() {
        return switch (this) {
            case AGE -> Optional.of(SealRule.Cause.AGE);
            case QUIET -> Optional.of(SealRule.Cause.QUIET);
            case BUDGET -> Optional.of(SealRule.Cause.BUDGET);
            default -> Optional.empty();
        };
    }
}
