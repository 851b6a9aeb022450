package io.packing.chaos.model;

import java.util.Optional;

/**
 * What a client saw at a path.
 *
 * @param kind what was there
 * @param content the one of the known contents that the bytes are; empty when they are none of them, or there is no file
 * @param mode of a file, when it was looked at
 * @param text how an error or a mismatch shows
 */
public record Sight(State.Kind kind, Optional<Content> content, Optional<Integer> mode, String text) {
    /** Nothing there. */
    public static final Sight ABSENT =
            new Sight(State.Kind.ABSENT, Optional.empty(), Optional.empty(), "nothing there");
    /** A directory. */
    public static final Sight DIRECTORY =
            new Sight(State.Kind.DIRECTORY, Optional.empty(), Optional.empty(), "a directory");

    /** A file with these bytes. */
    public static Sight file(Content content, Optional<Integer> mode) {
        return new Sight(State.Kind.FILE, Optional.of(content), mode, "");
    }

    /** A file with other bytes than any that were written there, or that cannot be read. */
    public static Sight unreadable(String text) {
        return new Sight(State.Kind.FILE, Optional.empty(), Optional.empty(), text);
    }

    /** An entry that says itself that its bytes are gone. */
    public static Sight lost(String text) {
        return new Sight(State.Kind.LOST, Optional.empty(), Optional.empty(), text);
    }
}
