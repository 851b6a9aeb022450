// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * Hit densities by class and age, from counts of hits and evictions (Beckmann, Chen and Cidon, NSDI 2018, §4): the hits that entries of
 * this age still get, divided by the time that they still take. Older counts weigh less.
 */
final class HitDensities {
    /** The number of ages; entries of the last one are older than all others. */
    static final int AGES = 1 << 12;

    static final int CLASSES = 16;

    private static final double DECAY = 0.9;
    private static final double LEAST_EVENTS = 1e-5;

    private final double[] hits = new double[CLASSES * AGES];
    private final double[] evictions = new double[CLASSES * AGES];
    private final double[] densities = new double[CLASSES * AGES];

    HitDensities() {
        clear();
    }

    /** Forgets all counts: until the first model a density is lower, the longer an entry waits and the longer it waited before. */
    void clear() {
        for (int of = 0; of < CLASSES; of++) {
            for (int age = 0; age < AGES; age++) {
                int at = of * AGES + age;
                hits[at] = 0;
                evictions[at] = 0;
                densities[at] = (of + 1.0) / (age + 1);
            }
        }
    }

    /**
     * Returns the class of an entry by the ages at its last two hits together: the logarithm of how often they go into the largest age.
     * A new entry has the largest age, and is of class 0.
     */
    static int classOf(int ages) {
        return ages == 0
                ? CLASSES - 1
                : Math.min(CLASSES - 1, 31 - Integer.numberOfLeadingZeros(Math.max(1, AGES / ages)));
    }

    void hit(int of, int age) {
        hits[of * AGES + age]++;
    }

    void eviction(int of, int age) {
        evictions[of * AGES + age]++;
    }

    double of(int of, int age) {
        return densities[of * AGES + age];
    }

    /** Computes the densities from the counts, and lets the counts decay. */
    void model() {
        for (int of = 0; of < CLASSES; of++) {
            double later = 0;
            double laterHits = 0;
            double time = 0;
            for (int age = AGES - 1; age >= 0; age--) {
                int at = of * AGES + age;
                later += hits[at] + evictions[at];
                laterHits += hits[at];
                // Each later event takes one more step of age, seen from here.
                time += later;
                densities[at] = later > LEAST_EVENTS ? laterHits / time : 0;
                hits[at] *= DECAY;
                evictions[at] *= DECAY;
            }
        }
    }
}
