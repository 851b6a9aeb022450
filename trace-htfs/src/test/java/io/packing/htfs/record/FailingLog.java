// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.EventFields;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A trace in memory on a disk that fails on demand, and then loses unsettled events. */
final class FailingLog implements TraceLog {
    final List<TraceEvent> readable = new ArrayList<>();
    boolean full;
    int refusedWrites;
    long noted;

    private final List<TraceEvent> unsettled = new ArrayList<>();
    private long lost;

    @Override
    public void write(EventFields event) throws IOException {
        try {
            event.requireValid();
        } catch (IllegalArgumentException e) {
            lost++;
            noted++;
            throw e;
        }
        unsettled.add(event.toEvent());
        if (full) {
            refusedWrites++;
            lose();
        }
    }

    @Override
    public void dropped(long events) {
        noted += events;
    }

    @Override
    public void flush() throws IOException {
        if (full && !unsettled.isEmpty()) {
            lose();
        }
        readable.addAll(unsettled);
        unsettled.clear();
    }

    private void lose() throws IOException {
        lost += unsettled.size();
        noted += unsettled.size();
        unsettled.clear();
        throw new IOException("No space left on device");
    }

    @Override
    public void rotate() {}

    @Override
    public long lost() {
        return lost;
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
