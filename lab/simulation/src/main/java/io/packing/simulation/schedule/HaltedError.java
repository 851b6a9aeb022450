// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/** An end of a simulated thread: its machine failed, or its schedule is over. Only the thread's beginning catches it. */
public final class HaltedError extends Error {
    private static final long serialVersionUID = 1;

    public HaltedError() {
        super("the machine has failed, or the schedule is over", null, false, false);
    }
}
