// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A file as one create made it, and the fate of its bytes. Versions are equal only if they are one object. Guarded by
 * the model.
 */
public final class Version {
    private final SeededContent content;
    /** The states of its path before the create, which may return if the version is lost without a trace. */
    private Set<State> before;

    private final List<Version> unanswered = new ArrayList<>();
    private boolean acknowledged;
    private boolean durable;
    private boolean bufferLost;
    private boolean tableLost;

    Version(SeededContent content, Set<State> before) {
        this.content = content;
        this.before = Set.copyOf(before);
    }

    public SeededContent content() {
        return content;
    }

    /** Records that the create got no answer, in each version that it may have replaced. */
    void wasNotAnswered() {
        for (State state : before) {
            state.version().ifPresent(replaced -> replaced.unanswered.add(this));
        }
    }

    /** Returns versions without an answer that the store may have in place of this one. */
    List<Version> unanswered() {
        return unanswered.stream().filter(other -> !other.acknowledged).toList();
    }

    /** Sets the states that this version replaced, in a race: it replaces none of the racing versions. */
    void createdOver(Set<State> states) {
        before = Set.copyOf(states);
    }

    /** Returns the states that may be seen instead of this version, if it was lost before the store had it. */
    Set<State> before() {
        return before;
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    void acknowledge() {
        acknowledged = true;
    }

    boolean isDurable() {
        return durable;
    }

    /** Records that the store has the version: from now on no loss on this machine affects it. */
    void store() {
        durable = true;
        before = Set.of();
    }

    /** Records the loss of a worker's directory, which may have held the only bytes. */
    void loseBuffer() {
        bufferLost |= !durable;
    }

    /** Records the loss of the master's directory, of whose entry the store may know nothing. */
    void loseTable() {
        tableLost |= !durable;
    }

    /** Returns whether its bytes may be lost. */
    boolean mayBeLost() {
        return bufferLost && !durable;
    }

    /** Returns whether its entry may be lost, too. */
    boolean mayBeForgotten() {
        return mayBeLost() && tableLost;
    }

    @Override
    public String toString() {
        return "#%x(%d bytes%s%s%s)"
                .formatted(
                        content.seed(),
                        content.length(),
                        acknowledged ? ", acknowledged" : "",
                        durable ? ", in the store" : "",
                        mayBeLost() ? ", may be lost" : "");
    }
}
