package io.packing.sim.experiment;

/** Learns how far a sweep is. Called by several threads. */
public interface SweepListener {
    /**
     * The sweep begins.
     *
     * @param points of it
     * @param kept points whose results an earlier run has left
     * @param events that the others will take, about; 0 when nobody knows
     */
    void begins(String experiment, int points, int kept, long events);

    /** Some more events were played. */
    void played(long events);

    /** A point is finished. */
    void finished();
}
