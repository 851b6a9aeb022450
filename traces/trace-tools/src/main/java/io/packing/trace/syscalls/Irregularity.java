// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/** A disturbance of a recording: its events are right as far as they go, but the recorder had to guess. */
public enum Irregularity {
    /** The wall clock stepped back; the monotonic time stood still instead. */
    CLOCK_STEP("clock-step"),
    /** A process id was reused before its end was seen. */
    REUSED_PID("reused-pid"),
    /** A process without a known parent appeared: its inherited state is unknown, too. */
    ORPHAN("process-without-parent");

    private final String label;

    Irregularity(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
