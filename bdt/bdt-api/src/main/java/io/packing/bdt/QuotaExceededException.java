package io.packing.bdt;

import java.io.IOException;

/** A directory would have more names or bytes than its quota. Another try helps when something was deleted, or the quota is larger. */
public final class QuotaExceededException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Outcome reason;

    /**
     * Of one quota.
     *
     * @param reason {@link Outcome#NAMES_QUOTA} or {@link Outcome#BYTES_QUOTA}
     * @param message names the directory, its quota, and what it would have
     */
    public QuotaExceededException(Outcome reason, String message) {
        super(message);
        if (!isReason(reason)) {
            throw new IllegalArgumentException("no quota: " + reason);
        }
        this.reason = reason;
    }

    /** Whether an outcome is that of a quota. */
    public static boolean isReason(Outcome outcome) {
        return outcome == Outcome.NAMES_QUOTA || outcome == Outcome.BYTES_QUOTA;
    }

    public Outcome reason() {
        return reason;
    }

    /** The same as a part of something larger. */
    public QuotaExceededException within(String what) {
        return new QuotaExceededException(reason, "%s: %s".formatted(what, getMessage()));
    }
}
