// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Duration;

/**
 * The progress of a mount's move.
 *
 * @param group that gets the mount
 * @param rows sent so far; a row that changed meanwhile is sent again
 * @param bytes of these rows
 * @param time since its begin, or its whole time
 * @param frozen the time for which changes waited at the old group
 * @param problem the reason why it was undone; empty: it was not
 */
public record MoveProgress(
        State state, String group, long rows, long bytes, Duration time, Duration frozen, String problem) {
    /** The states of a move. */
    public enum State {
        /** The rows go over while clients use the mount. */
        COPYING,
        /** Changes wait. */
        SWITCHING,
        /** The other group has the mount. */
        DONE,
        /** The old group keeps the mount. */
        UNDONE
    }

    public boolean isOver() {
        return state == State.DONE || state == State.UNDONE;
    }
}
