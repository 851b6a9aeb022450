// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtChanges;
import io.packing.bdt.ByteRange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets files share the bytes of others, if both are still the versions that were compared (ANViL §5.2): many pairs as one
 * vector. A pair that is refused is left out, and the others are tried again. A duplicate stays the file that it is, with its
 * owner, group, mode and modification time.
 */
final class ConditionalClones {
    /** The pairs of one vector: it is one record of the log, and other clients wait for it. */
    private static final int MAX_PAIRS = 500;

    /** Keeps a vector of long paths below what one message may have. */
    private static final int MAX_CHARS = 1 << 20;

    /** A file and the one whose bytes it gets. */
    record Pair(DuplicateCandidate source, DuplicateCandidate duplicate) {
        private int chars() {
            return source.path().value().length() + duplicate.path().value().length();
        }
    }

    /** A listener for the result of each pair. */
    interface Listener {
        void ended(Pair pair, boolean shared) throws IOException;
    }

    private final BdtChanges bdt;
    private final Listener listener;
    private List<Pair> waiting = new ArrayList<>();
    private int chars;

    ConditionalClones(BdtChanges bdt, Listener listener) {
        this.bdt = bdt;
        this.listener = listener;
    }

    void add(Pair pair) throws IOException {
        waiting.add(pair);
        chars += pair.chars();
        if (waiting.size() == MAX_PAIRS || chars >= MAX_CHARS) {
            flush();
        }
    }

    void flush() throws IOException {
        List<Pair> pairs = waiting;
        waiting = new ArrayList<>();
        chars = 0;
        while (!pairs.isEmpty()) {
            if (!(bdt.apply(vector(pairs)) instanceof VectorResult.Refused refused)) {
                for (Pair pair : pairs) {
                    listener.ended(pair, true);
                }
                return;
            }
            // Two preconditions and two operations are a pair's.
            pairs = without(pairs, refused);
        }
    }

    private List<Pair> without(List<Pair> pairs, VectorResult.Refused refused) throws IOException {
        Pair first = pairs.get(refused.index() / 2);
        boolean ofSource = refused.kind() == VectorResult.Kind.PRECONDITION && refused.index() % 2 == 0;
        List<Pair> left = new ArrayList<>();
        for (Pair pair : pairs) {
            // A changed source is no source for any pair.
            if (ofSource ? pair.source() == first.source() : pair.equals(first)) {
                listener.ended(pair, false);
            } else {
                left.add(pair);
            }
        }
        return left;
    }

    private static OperationVector vector(List<Pair> pairs) {
        List<Precondition> preconditions = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        for (Pair pair : pairs) {
            DuplicateCandidate source = pair.source();
            DuplicateCandidate duplicate = pair.duplicate();
            preconditions.add(new Precondition.SameVersion(source.path(), source.version()));
            preconditions.add(new Precondition.SameVersion(duplicate.path(), duplicate.version()));
            operations.add(
                    new Operation.CloneRange(new ByteRange(source.path(), 0, source.length()), duplicate.path(), 0));
            operations.add(
                    new Operation.SetAttributes(duplicate.path(), AttributeChange.ofMtime(duplicate.mtimeMillis())));
        }
        return new OperationVector(preconditions, operations);
    }
}
