// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.Optional;

/**
 * A client's observation of a path.
 *
 * @param kind of the entry
 * @param content the known content with these bytes; empty if none has them, or the path has no file
 * @param mode of a file, when it was looked at
 * @param text of an error or a mismatch
 */
public record Observation(State.Kind kind, Optional<SeededContent> content, Optional<Integer> mode, String text) {
    /** A path without an entry. */
    public static final Observation ABSENT =
            new Observation(State.Kind.ABSENT, Optional.empty(), Optional.empty(), "nothing there");
    /** A path with a directory. */
    public static final Observation DIRECTORY =
            new Observation(State.Kind.DIRECTORY, Optional.empty(), Optional.empty(), "a directory");

    /** Makes the sight of a file with these bytes. */
    public static Observation file(SeededContent content, Optional<Integer> mode) {
        return new Observation(State.Kind.FILE, Optional.of(content), mode, "");
    }

    /** Makes the sight of a file that cannot be read, or whose bytes no client wrote there. */
    public static Observation unreadable(String text) {
        return new Observation(State.Kind.FILE, Optional.empty(), Optional.empty(), text);
    }

    /** Makes the sight of an entry whose bytes are lost. */
    public static Observation lost(String text) {
        return new Observation(State.Kind.LOST, Optional.empty(), Optional.empty(), text);
    }
}
