// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

/**
 * A difference from the model.
 *
 * @param text the observed state and the allowed ones
 */
public record Violation(Kind kind, String path, String text) {
    /** The kind of violation. */
    public enum Kind {
        /** Acknowledged, and absent. */
        LOST,
        /** Acknowledged as deleted, overwritten or moved away, and there again. */
        RETURNED,
        /** Other bytes, another length or other attributes than were written, or unreadable. */
        WRONG
    }

    @Override
    public String toString() {
        return "%s %s: %s".formatted(kind, path, text);
    }
}
