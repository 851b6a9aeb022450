// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.util.Arrays;

/** The blobs of a run, by number. */
final class SimulatedBlobs {
    private long[] bodies = {};
    private int count;

    int add() {
        if (count == bodies.length) {
            int more = Math.max(256, count * 2);
            bodies = Arrays.copyOf(bodies, more);
        }
        return count++;
    }

    void sealed(int blob, long body) {
        bodies[blob] = body;
    }

    int count() {
        return count;
    }

    /** Returns the offset of the blob's footer. */
    long body(int blob) {
        return bodies[blob];
    }
}
