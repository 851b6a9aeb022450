package io.packing.chaos.model;

/**
 * One of several things that happen at once.
 *
 * @param path of a file
 * @param target where nothing is; empty for a delete
 */
public record Part(Kind kind, String path, String target) {
    /** What. */
    public enum Kind {
        /** The file goes to the target. */
        RENAME,
        DELETE,
        /** The target has the bytes and the mode of the file, too. */
        CLONE
    }

    @Override
    public String toString() {
        return kind + " " + path + (target.isEmpty() ? "" : " to " + target);
    }
}
