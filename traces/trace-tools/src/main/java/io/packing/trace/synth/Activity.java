package io.packing.trace.synth;

import io.packing.trace.TraceEvent;

/** Something that makes events, one per step, at times that never go back. */
interface Activity {
    /** The time of an activity that is over. */
    long OVER = Long.MAX_VALUE;

    /** When the next event starts, in nanoseconds of the paper's 8.3 days; {@link #OVER} when there is none. */
    long time();

    /** Makes the next event. */
    TraceEvent step();
}
