package io.packing.chaos.linear;

import java.util.Optional;

/**
 * What an object does when its operations happen one after the other.
 *
 * @param <S> states, which are compared by {@code equals}
 * @param <O> operations, each with what became of it
 */
public interface SequentialModel<S, O> {
    S initial();

    /** The state after an operation; empty: in this state the operation cannot have had the outcome that it had. */
    Optional<S> step(S state, O operation);
}
