// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/**
 * A refusal because a directory would have more names or bytes than its quota. Another try helps after a delete, or
 * with a larger quota.
 */
public final class QuotaExceededException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Outcome reason;

    /**
     * Makes the refusal for one quota.
     *
     * @param reason {@link Outcome#NAMES_QUOTA} or {@link Outcome#BYTES_QUOTA}
     * @param message names the directory, its quota, and its names or bytes after the change
     */
    public QuotaExceededException(Outcome reason, String message) {
        super(message);
        if (!isReason(reason)) {
            throw new IllegalArgumentException("no quota: " + reason);
        }
        this.reason = reason;
    }

    /** Returns whether an outcome is that of a quota. */
    public static boolean isReason(Outcome outcome) {
        return outcome == Outcome.NAMES_QUOTA || outcome == Outcome.BYTES_QUOTA;
    }

    public Outcome reason() {
        return reason;
    }

    /** Returns this refusal with the name of a larger call. */
    public QuotaExceededException within(String what) {
        return new QuotaExceededException(reason, "%s: %s".formatted(what, getMessage()));
    }
}
