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
public record Sight(State.Kind kind, Optional<SeededContent> content, Optional<Integer> mode, String text) {
    /** A path without an entry. */
    public static final Sight ABSENT =
            new Sight(State.Kind.ABSENT, Optional.empty(), Optional.empty(), "nothing there");
    /** A path with a directory. */
    public static final Sight DIRECTORY =
            new Sight(State.Kind.DIRECTORY, Optional.empty(), Optional.empty(), "a directory");

    /** Makes the sight of a file with these bytes. */
    public static Sight file(SeededContent content, Optional<Integer> mode) {
        return new Sight(State.Kind.FILE, Optional.of(content), mode, "");
    }

    /** Makes the sight of a file that cannot be read, or whose bytes no client wrote there. */
    public static Sight unreadable(String text) {
        return new Sight(State.Kind.FILE, Optional.empty(), Optional.empty(), text);
    }

    /** Makes the sight of an entry whose bytes are lost. */
    public static Sight lost(String text) {
        return new Sight(State.Kind.LOST, Optional.empty(), Optional.empty(), text);
    }
}
