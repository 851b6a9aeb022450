package io.packing.chaos.masters;

import java.util.Map;
import java.util.OptionalLong;

/** What a client did in one directory, and what it was told. Files are told apart by the number of their version. */
public sealed interface Deed {
    /** What a client was told of a change. */
    enum Told {
        DONE,
        /** It was refused, and changed nothing. */
        REFUSED,
        /** Nothing: it may have happened, or happen later, or not. */
        NOTHING
    }

    /**
     * Writes a file.
     *
     * @param replacing whether there may be one already
     */
    record Create(String name, long version, boolean replacing, Told told) implements Deed {}

    /** Deletes a file. */
    record Delete(String name, Told told) implements Deed {}

    /**
     * Renames a file.
     *
     * @param replacing whether there may be one at the new name
     */
    record Move(String from, String to, boolean replacing, Told told) implements Deed {
        public Move {
            if (from.equals(to)) {
                throw new IllegalArgumentException("a move of %s to itself".formatted(from));
            }
        }
    }

    /** Looks at a file, or reads it; empty: there is none. */
    record Look(String name, OptionalLong seen) implements Deed {}

    /** Lists the directory. */
    record Names(Map<String, Long> seen) implements Deed {
        public Names {
            seen = Map.copyOf(seen);
        }
    }

    /** Whether the client does not know what became of it. */
    default boolean isOpen() {
        if (this instanceof Create create) {
            return create.told == Told.NOTHING;
        }
        if (this instanceof Delete delete) {
            return delete.told == Told.NOTHING;
        }
        return this instanceof Move move && move.told == Told.NOTHING;
    }
}
