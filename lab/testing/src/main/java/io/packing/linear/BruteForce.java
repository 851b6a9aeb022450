// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A checker that tries every order of a history: short enough to be obviously right, for few operations only. */
public final class BruteForce {
    private BruteForce() {}

    /** Returns true if an order exists in which each operation has its outcome. */
    public static <S, O> boolean isLinearizable(SequentialModel<S, O> model, List<Timed<O>> history) {
        return canGoOn(model, model.initial(), history);
    }

    private static <S, O> boolean canGoOn(SequentialModel<S, O> model, S state, List<Timed<O>> left) {
        if (left.stream().allMatch(Timed::isOpen)) {
            return true;
        }
        for (int i = 0; i < left.size(); i++) {
            Timed<O> next = left.get(i);
            if (left.stream().anyMatch(other -> other.end() < next.call())) {
                continue;
            }
            List<Timed<O>> others = new ArrayList<>(left);
            Timed<O> unused = others.remove(i);
            Optional<S> after = model.step(state, next.operation());
            if (after.isPresent() && canGoOn(model, after.get(), others)) {
                return true;
            }
        }
        return false;
    }
}
