// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** The result of a vector. */
public sealed interface VectorResult {
    /**
     * The result of a vector that happened completely.
     *
     * @param position of the vector's last change in the mount's log; no file version that it made has a later
     *     generation
     * @param rowBytes keys and values of the rows that the vector wrote into the table, with those of the journal, which
     *     the next backup takes away; 0: the master is of an older version, or answered the request before
     */
    record Applied(long position, long rowBytes) implements VectorResult {
        /** Makes a result without the bytes of rows. */
        public Applied(long position) {
            this(position, 0);
        }
    }

    /**
     * The result of a vector that changed no row.
     *
     * @param kind of the list that {@code index} counts
     * @param index of the first failure
     * @param reason never {@link Outcome#DONE}
     */
    record Refused(Kind kind, int index, Outcome reason) implements VectorResult {
        public Refused {
            if (reason == Outcome.DONE || index < 0) {
                throw new IllegalArgumentException("%s %d refused as %s".formatted(kind, index, reason));
            }
        }
    }

    /** The lists of a vector. */
    enum Kind {
        PRECONDITION,
        OPERATION
    }
}
