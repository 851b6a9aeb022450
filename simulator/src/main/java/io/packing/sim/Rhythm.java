// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/**
 * The times at which the events of a trace are played.
 *
 * @param pace factor by which the playback is faster than the recording
 * @param burstNanos length of stretches whose events are played in a first part of them; 0: none
 * @param burstShare that part of a stretch; 0: all its events happen at its beginning
 */
public record Rhythm(double pace, long burstNanos, double burstShare) {
    /** The rhythm of the recording. */
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

    /** Returns the time of an event, from its recorded nanoseconds since the first one. */
    long at(long since) {
        long at = pace == 1 ? since : Math.round(since / pace);
        if (burstNanos == 0) {
            return at;
        }
        long within = at % burstNanos;
        return at - within + (long) (within * burstShare);
    }
}
