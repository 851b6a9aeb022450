// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The writes that a worker has answered, and whose granted versions may not be stable on its disk yet. The worker forces the notes of
 * these versions a few times a second, and when it starts (docs/durability.md). A loss of power within that time may take them. After the
 * loss of the table, too, such a file may be kept beside its name.
 */
final class UnforcedNotes {
    /** The time in which a worker has forced its notes: its interval, and the longest forces. */
    private static final long FORCED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Answered(NameHistory history, int state, long nanos) {}

    private final List<Answered> answered = new ArrayList<>();
    private boolean up;

    /** Notes that the worker has started: it forced all notes that it found. */
    void started() {
        answered.clear();
        up = true;
    }

    void answered(NameHistory history, int state, long nanos) {
        answered.removeIf(each -> each.nanos() + FORCED_NANOS < nanos);
        answered.add(new Answered(history, state, nanos));
    }

    /** Notes that the worker's process has ended. */
    void ended(long nanos, boolean power) {
        if (up) {
            answered.removeIf(each -> each.nanos() + FORCED_NANOS < nanos);
        }
        up = false;
        if (power) {
            answered.forEach(each -> each.history().noteIsLost(each.state()));
            answered.clear();
        }
    }
}
