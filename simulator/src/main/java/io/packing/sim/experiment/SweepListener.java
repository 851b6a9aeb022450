package io.packing.sim.experiment;

/** Learns how far a sweep is. Called by several threads. */
public interface SweepListener {
    /**
     * The sweep begins.
     *
     * @param points of it
     * @param missing simulations that no earlier run has left the results of
     * @param events that these will take, about; 0 when nobody knows
     */
    void begins(String experiment, int points, int missing, long events);

    /** Some more events were played. */
    void played(long events);

    /** A point is finished. */
    void finished();
}
