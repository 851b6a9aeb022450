package io.packing.bdt;

/** How a vector ended. */
public sealed interface VectorResult {
    /**
     * All of it happened.
     *
     * @param position of the vector's last change in the mount's log; no file version that it made has a later generation
     */
    record Applied(long position) implements VectorResult {}

    /**
     * Nothing happened.
     *
     * @param kind whether {@code index} counts preconditions or operations
     * @param index of the first that failed
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
