// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/** Turns for numbered parties: each party has its share of every run of turns, up to a turn. */
final class Turns {
    private final double[] shares;
    private final double[] owed;

    /** @param shares of the parties; their sum is 1 */
    Turns(double[] shares) {
        this.shares = shares.clone();
        this.owed = new double[shares.length];
    }

    int next() {
        int most = 0;
        for (int i = 0; i < owed.length; i++) {
            owed[i] += shares[i];
            if (owed[i] > owed[most]) {
                most = i;
            }
        }
        owed[most]--;
        return most;
    }
}
