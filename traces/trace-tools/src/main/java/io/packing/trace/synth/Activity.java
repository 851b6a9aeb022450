// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.TraceEvent;

/** A source of events, one per step, in order of time. */
interface Activity {
    /** The time of an activity without further events. */
    long OVER = Long.MAX_VALUE;

    /** Returns the start of the next event in nanoseconds of the paper's 8.3 days, or {@link #OVER}. */
    long time();

    /** Makes the next event. */
    TraceEvent step();
}
