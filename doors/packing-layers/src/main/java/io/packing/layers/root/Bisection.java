// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import java.util.BitSet;
import java.util.OptionalInt;

/**
 * A search for the first bad one of a history, by halves: the first is good, the last is bad, and each between them is good before
 * some place and bad from there on. Those that cannot be tried are skipped. Confined to one thread.
 */
public final class Bisection {
    private final BitSet skipped = new BitSet();
    private int good;
    private int bad;

    /** @param count of the history, at least two */
    public Bisection(int count) {
        if (count < 2) {
            throw new IllegalArgumentException("a history of %d: it needs a good and a bad one".formatted(count));
        }
        this.bad = count - 1;
    }

    /** Returns the place that is tried next: the nearest to the middle that was not skipped; empty at the end. */
    public OptionalInt next() {
        int middle = good + (bad - good) / 2;
        for (int distance = 0; distance < bad - good; distance++) {
            for (int at : new int[] {middle - distance, middle + distance}) {
                if (at > good && at < bad && !skipped.get(at)) {
                    return OptionalInt.of(at);
                }
            }
        }
        return OptionalInt.empty();
    }

    /** Takes in that the one at a place is good. */
    public void good(int at) {
        check(at);
        good = at;
    }

    /** Takes in that the one at a place is bad. */
    public void bad(int at) {
        check(at);
        bad = at;
    }

    /** Takes in that the one at a place cannot be tried. */
    public void skip(int at) {
        check(at);
        skipped.set(at);
    }

    private void check(int at) {
        if (at <= good || at >= bad) {
            throw new IllegalArgumentException("place %d is not between %d and %d".formatted(at, good, bad));
        }
    }

    /** Returns the last place that is known to be good. */
    public int lastGood() {
        return good;
    }

    /** Returns the first place that is known to be bad: the first of all if the one before is the last good one. */
    public int firstBad() {
        return bad;
    }
}
