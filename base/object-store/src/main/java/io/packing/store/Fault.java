// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** The faults of a {@link FaultyObjectStore}. */
public enum Fault {
    /** The operation fails without an effect. */
    BEFORE,
    /** A put of a stream reads some of it, and then fails without an effect; other operations fail as before theirs. */
    MIDDLE,
    /** The operation takes effect, and then fails as if the answer were lost. */
    AFTER,
    /** A read returns fewer bytes than it should; other operations have no fault. */
    SHORT_READ,
    /** A read returns bytes with one of them changed; other operations have no fault. */
    FLIPPED_READ
}
