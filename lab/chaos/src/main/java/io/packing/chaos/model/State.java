// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.Locale;
import java.util.Optional;

/**
 * An allowed state of a path.
 *
 * @param version of a file, and of one that is lost
 * @param mode of a file, and of one that is lost; otherwise 0
 */
public record State(Kind kind, Optional<Version> version, int mode) {
    /** The kind of entry that a client sees. */
    public enum Kind {
        ABSENT,
        DIRECTORY,
        FILE,
        /** An entry whose bytes are lost. */
        LOST
    }

    /** A path without an entry. */
    public static final State ABSENT = new State(Kind.ABSENT, Optional.empty(), 0);
    /** A path with a directory. */
    public static final State DIRECTORY = new State(Kind.DIRECTORY, Optional.empty(), 0);

    public State {
        if (version.isPresent() != (kind == Kind.FILE || kind == Kind.LOST)) {
            throw new IllegalArgumentException("%s with %s".formatted(kind, version));
        }
    }

    /** Makes the state of a readable file. */
    public static State file(Version version, int mode) {
        return new State(Kind.FILE, Optional.of(version), mode);
    }

    /** Makes the state of a file whose bytes are lost; the entry that is left has the mode. */
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
