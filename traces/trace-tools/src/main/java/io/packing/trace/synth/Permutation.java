// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/** A permutation of the numbers 0 to size − 1, without a table. */
final class Permutation {
    private final long size;
    private final long step;
    private final long start;

    Permutation(long size, long seed) {
        this.size = size;
        this.start = size == 0 ? 0 : Math.floorMod(EvenSequence.mix(seed), size);
        long candidate = Math.max(1, (long) (size * 0.6180339887));
        while (gcd(candidate, size) > 1) {
            candidate++;
        }
        this.step = candidate;
    }

    long of(long i) {
        return (i * step + start) % size;
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
