// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.util.Map;
import java.util.OptionalLong;

/** An operation of a client in one directory, with the answer. Version numbers distinguish files. */
public sealed interface ClientOperation {
    /** The answer to a change. */
    enum Told {
        DONE,
        /** Refused: the change did not happen. */
        REFUSED,
        /** No answer: the change may have happened, may happen later, or never. */
        NOTHING
    }

    /**
     * A create of a file.
     *
     * @param replacing whether the file may exist already
     */
    record Create(String name, long version, boolean replacing, Told told) implements ClientOperation {}

    /** A delete of a file. */
    record Delete(String name, Told told) implements ClientOperation {}

    /**
     * A rename of a file.
     *
     * @param replacing whether a file may exist at the new name
     */
    record Move(String from, String to, boolean replacing, Told told) implements ClientOperation {
        public Move {
            if (from.equals(to)) {
                throw new IllegalArgumentException("a move of %s to itself".formatted(from));
            }
        }
    }

    /** A look at a file, or a read of it; empty if the file does not exist. */
    record Look(String name, OptionalLong seen) implements ClientOperation {}

    /** A listing of the directory. */
    record Names(Map<String, Long> seen) implements ClientOperation {
        public Names {
            seen = Map.copyOf(seen);
        }
    }

    /** Returns whether the client does not know the outcome. */
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
