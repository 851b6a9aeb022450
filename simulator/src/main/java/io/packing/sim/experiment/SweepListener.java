// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

/** A listener to the progress of a sweep. Called by several threads. */
public interface SweepListener {
    /**
     * Learns that a sweep begins.
     *
     * @param points of the sweep
     * @param missing simulations without a result of an earlier run
     * @param events of these simulations, about; 0 if unknown
     */
    void begins(String experiment, int points, int missing, long events);

    /** Learns of further played events. */
    void played(long events);

    /** Learns that a point is finished. */
    void finished();
}
