package io.packing.sim;

/**
 * When the events of a trace are played.
 *
 * @param pace how many times faster than they were recorded
 * @param burstNanos stretches of this length are played in their first part only; 0 for none
 * @param burstShare that part of them; 0: all of a stretch happens at its beginning
 */
public record Rhythm(double pace, long burstNanos, double burstShare) {
    /** As they were recorded. */
    public static final Rhythm RECORDED = new Rhythm(1, 0, 0);

    public Rhythm {
        if (!(pace > 0 && pace <= 1000)) {
            throw new IllegalArgumentException("run.pace: above 0 and up to 1000, not " + pace);
        }
        if (burstNanos < 0) {
            throw new IllegalArgumentException("run.burst: not below 0");
        }
        if (!(burstShare >= 0 && burstShare <= 1)) {
            throw new IllegalArgumentException("run.burst-share: from 0 to 1, not " + burstShare);
        }
    }

    /** When an event is played, by the nanoseconds since the first one that were recorded. */
    long at(long since) {
        long at = pace == 1 ? since : Math.round(since / pace);
        if (burstNanos == 0) {
            return at;
        }
        long within = at % burstNanos;
        return at - within + (long) (within * burstShare);
    }
}
