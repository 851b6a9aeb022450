// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small trace: the process writes and syncs a log, reads a store file at two places and renames flushed data. */
final class Samples {
    static final TraceOrigin ORIGIN = new TraceOrigin("host-a", 17, "htfs");
    static final long WALL = 1_700_000_000_000_000_000L;
    static final String LOG = "/hbase/WALs/host-a,16020,1/log.1";
    static final String STORE = "/hbase/data/default/messages/r1/actions/f00";

    private Samples() {}

    static TraceEventBuilder event(Call call, long mono) {
        return new TraceEventBuilder(call).origin(ORIGIN).at(WALL + mono, mono).duration(5_000);
    }

    static List<TraceEvent> all() {
        List<TraceEvent> events = new ArrayList<>();
        events.add(event(Call.CREATE, 1_000).path(LOG).stream(1).build());
        events.add(event(Call.WRITE, 10_000).stream(1)
                .path(LOG)
                .range(0, 300)
                .result(300)
                .duration(5_000)
                .collapsed(3, 15_000)
                .build());
        events.add(event(Call.HFLUSH, 20_000).stream(1).path(LOG).build());
        events.add(event(Call.OPEN, 30_000).path(STORE).stream(2).build());
        events.add(event(Call.PREAD, 40_000).stream(2)
                .path(STORE)
                .range(65_536, 1_000)
                .result(1_000)
                .build());
        events.add(event(Call.SEEK, 50_000).stream(2)
                .path(STORE)
                .range(100, TraceEvent.NONE)
                .build());
        events.add(event(Call.READ, 60_000).stream(2)
                .path(STORE)
                .range(100, 5_000)
                .result(4_000)
                .build());
        events.add(event(Call.RENAME, 70_000)
                .path("/hbase/.tmp/f01")
                .target(STORE + "1")
                .result(1)
                .build());
        return events;
    }

    static List<TraceEvent> drain(TraceSource source) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
            events.add(next.get());
        }
        return events;
    }
}
