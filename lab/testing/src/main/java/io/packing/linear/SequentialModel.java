// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

import java.util.Optional;

/**
 * An object's behaviour when its operations happen one after the other.
 *
 * @param <S> states, which are compared by {@code equals}
 * @param <O> operations with their outcomes
 */
public interface SequentialModel<S, O> {
    S initial();

    /** Returns the state after an operation; empty if the operation cannot have its outcome in this state. */
    Optional<S> step(S state, O operation);

    /**
     * Returns true if an operation leaves each state in which it is possible, as a read does. A write of the present value is none: in another
     * state it would change the value.
     */
    boolean isRead(O operation);
}
