package io.packing.chaos.model;

import java.util.Locale;
import java.util.Optional;

/**
 * What may be at a path.
 *
 * @param version of a file, and of one that is lost
 * @param mode of a file, and of one that is lost; 0 of anything else
 */
public record State(Kind kind, Optional<Version> version, int mode) {
    /** What a client sees. */
    public enum Kind {
        ABSENT,
        DIRECTORY,
        FILE,
        /** An entry whose bytes are gone. */
        LOST
    }

    /** Nothing. */
    public static final State ABSENT = new State(Kind.ABSENT, Optional.empty(), 0);
    /** A directory. */
    public static final State DIRECTORY = new State(Kind.DIRECTORY, Optional.empty(), 0);

    public State {
        if (version.isPresent() != (kind == Kind.FILE || kind == Kind.LOST)) {
            throw new IllegalArgumentException("%s with %s".formatted(kind, version));
        }
    }

    /** A file that can be read. */
    public static State file(Version version, int mode) {
        return new State(Kind.FILE, Optional.of(version), mode);
    }

    /** A file whose bytes are gone; the mode is that of the entry which is left. */
    public static State lost(Version version, int mode) {
        return new State(Kind.LOST, Optional.of(version), mode);
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    @Override
    public String toString() {
        return kind == Kind.FILE
                ? "%s mode %o".formatted(version.orElseThrow(), mode)
                : kind.name().toLowerCase(Locale.ROOT);
    }
}
