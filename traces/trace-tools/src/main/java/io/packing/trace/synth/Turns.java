package io.packing.trace.synth;

/** Gives numbered parties their turns such that each has its share of any run of turns as exactly as whole turns can. */
final class Turns {
    private final double[] shares;
    private final double[] owed;

    /** @param shares of each party, adding up to 1 */
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
