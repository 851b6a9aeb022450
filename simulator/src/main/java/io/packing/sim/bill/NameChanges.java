// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.sim.pack.FileActions;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A count of the intervals of a trace in which it renames, deletes or makes directories: a mount uploads a journal for each. */
public final class NameChanges implements FileActions.Target {
    private final Set<Long> intervals = new HashSet<>();
    private long interval;

    private NameChanges() {}

    /**
     * Counts.
     *
     * @param intervalNanos of the trace's time
     */
    public static long intervals(TraceSource trace, double intervalNanos) throws IOException {
        NameChanges changes = new NameChanges();
        FileActions actions = new FileActions(changes);
        long first = Long.MIN_VALUE;
        for (Optional<TraceEvent> next = trace.next(); next.isPresent(); next = trace.next()) {
            first = first == Long.MIN_VALUE ? next.get().wallNanos() : first;
            changes.interval = (long) ((next.get().wallNanos() - first) / intervalNanos);
            actions.take(next.get());
        }
        return changes.intervals.size();
    }

    @Override
    public void write(String host, String path, long size) {
        // Claims are in no journal.
    }

    @Override
    public void read(String host, String path, long offset, long length) {
        // Reads change no name.
    }

    @Override
    public void rename(String from, String to) {
        intervals.add(interval);
    }

    @Override
    public void delete(String path) {
        intervals.add(interval);
    }

    @Override
    public void makeDirectory(String path) {
        intervals.add(interval);
    }
}
