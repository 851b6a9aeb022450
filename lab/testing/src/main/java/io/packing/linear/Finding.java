// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

import java.util.List;

/**
 * The result of checking a history.
 *
 * @param configurations number of configurations that were tried
 * @param reached of a history that is not linearizable: the state after the longest prefix that could be ordered, in
 *     words
 * @param stuck operations, none of which can come after that prefix
 */
public record Finding<O>(Verdict verdict, long configurations, String reached, List<Timed<O>> stuck) {
    /** The answer of the check. */
    public enum Verdict {
        LINEARIZABLE,
        NOT_LINEARIZABLE,
        /** The history has more configurations than the caller allows. */
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
