package io.packing.chaos.model;

/**
 * Something that must not be.
 *
 * @param text what was seen and what would have been right
 */
public record Violation(Kind kind, String path, String text) {
    /** What of three. */
    public enum Kind {
        /** Acknowledged and not there. */
        LOST,
        /** Acknowledged as deleted, overwritten or moved away, and there again. */
        RETURNED,
        /** Other bytes, another length or other attributes than were written, or it cannot be read. */
        WRONG
    }

    @Override
    public String toString() {
        return "%s %s: %s".formatted(kind, path, text);
    }
}
