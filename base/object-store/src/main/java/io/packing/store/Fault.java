package io.packing.store;

/** What {@link FaultyObjectStore} does to an operation. */
public enum Fault {
    /** Fails without having done anything. */
    BEFORE,
    /** Takes effect, and then fails as if the answer were lost. */
    AFTER,
    /** A read returns fewer bytes than it should; no effect on other operations. */
    SHORT_READ,
    /** A read returns bytes of which one is another one; no effect on other operations. */
    FLIPPED_READ
}
