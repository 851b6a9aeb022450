package io.packing.chaos.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A file as one create made it, and what its bytes have been through. Two versions are the same only if they are one object.
 * Guarded by the model.
 */
public final class Version {
    private final Content content;
    /** What was at its path when it was created: what may be there again if it is gone without a trace. */
    private Set<State> before;

    private final List<Version> unanswered = new ArrayList<>();
    private boolean acknowledged;
    private boolean durable;
    private boolean bufferLost;
    private boolean tableLost;

    Version(Content content, Set<State> before) {
        this.content = content;
        this.before = Set.copyOf(before);
    }

    public Content content() {
        return content;
    }

    /** Nobody was told whether it took the place of what was there: that remembers it. */
    void wasNotAnswered() {
        for (State state : before) {
            state.version().ifPresent(replaced -> replaced.unanswered.add(this));
        }
    }

    /** What the store may have in its place, although nobody was told and it was not there so far. */
    List<Version> unanswered() {
        return unanswered.stream().filter(other -> !other.acknowledged).toList();
    }

    /** It was created at the same time as others, so it does not replace what one of them made. */
    void createdOver(Set<State> states) {
        before = Set.copyOf(states);
    }

    /** What may be seen instead of it, since everything that held it was thrown away before it was in the store. */
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

    /** It is in the store: from now on it survives whatever happens to this machine. */
    void store() {
        durable = true;
        before = Set.of();
    }

    /** The directory of a worker is gone that may have held the only bytes. */
    void loseBuffer() {
        bufferLost |= !durable;
    }

    /** The master's directory is gone, and the store may know nothing of it. */
    void loseTable() {
        tableLost |= !durable;
    }

    /** Whether its bytes may be gone by right. */
    boolean mayBeLost() {
        return bufferLost && !durable;
    }

    /** Whether even that it was ever written may be forgotten by right. */
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
