// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/** A bug of the simulator, never of its input: it has lost or invented bytes, requests or time. */
public final class BrokenInvariantException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public BrokenInvariantException(String what) {
        super(what);
    }

    /** Requires that two counts of one thing agree. */
    public static void same(String what, long one, long other) {
        if (one != other) {
            throw new BrokenInvariantException("%s: %,d against %,d".formatted(what, one, other));
        }
    }
}
