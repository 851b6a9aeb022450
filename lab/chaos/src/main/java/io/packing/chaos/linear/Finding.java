package io.packing.chaos.linear;

import java.util.List;

/**
 * What was found out about a history.
 *
 * @param configurations how many were looked at
 * @param reached of a history that is not linearizable: in words, the state after the longest beginning that could be put in order
 * @param stuck the operations of which none can come next after that beginning
 */
public record Finding<O>(Verdict verdict, long configurations, String reached, List<Timed<O>> stuck) {
    /** Whether the history is linearizable. */
    public enum Verdict {
        LINEARIZABLE,
        NOT_LINEARIZABLE,
        /** There were more configurations than were allowed. */
        UNDECIDED
    }

    public Finding {
        stuck = List.copyOf(stuck);
    }

    public boolean isLinearizable() {
        return verdict == Verdict.LINEARIZABLE;
    }

    @Override
    public String toString() {
        return verdict == Verdict.LINEARIZABLE
                ? "linearizable"
                : "%s after %d configurations; with %s none of these can come next: %s"
                        .formatted(verdict, configurations, reached, stuck);
    }
}
