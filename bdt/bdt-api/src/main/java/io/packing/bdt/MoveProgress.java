package io.packing.bdt;

import java.time.Duration;

/**
 * How far the move of a mount is.
 *
 * @param group that gets the mount
 * @param rows that were sent, those that changed meanwhile again
 * @param bytes of these rows
 * @param time since its begin, or that it took
 * @param frozen for how long changes waited at the group that had the mount
 * @param problem why it was undone; empty: it was not
 */
public record MoveProgress(
        State state, String group, long rows, long bytes, Duration time, Duration frozen, String problem) {
    /** What happens now. */
    public enum State {
        /** The rows go over while the mount is used. */
        COPYING,
        /** Changes wait. */
        SWITCHING,
        /** The other group has the mount. */
        DONE,
        /** The mount stays where it was. */
        UNDONE
    }

    public boolean isOver() {
        return state == State.DONE || state == State.UNDONE;
    }
}
