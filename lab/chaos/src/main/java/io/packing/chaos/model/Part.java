// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

/**
 * An operation of a vector.
 *
 * @param path of a file
 * @param target a free path; empty for a delete
 */
public record Part(Kind kind, String path, String target) {
    /** The kind of operation. */
    public enum Kind {
        /** The file moves to the target. */
        RENAME,
        DELETE,
        /** The target gets the bytes and the mode of the file. */
        CLONE
    }

    @Override
    public String toString() {
        return kind + " " + path + (target.isEmpty() ? "" : " to " + target);
    }
}
