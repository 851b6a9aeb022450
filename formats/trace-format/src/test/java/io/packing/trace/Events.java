// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Events for tests: whole microseconds, so that the default tick keeps them exactly. */
final class Events {
    private static final Call[] CALLS = Arrays.stream(Call.values())
            .filter(call -> call.id() < Call.FIRST_OF_VERSION_2)
            .toArray(Call[]::new);
    // By name, since a golden file must not depend on the number of calls.
    private static final String[] SYSTEM_CALLS = {
        "sys_openat",
        "sys_read",
        "sys_write",
        "sys_copy_file_range_to",
        "sys_ficlonerange",
        "snapshot",
        "unseen",
        "pread"
    };
    private static final TraceOrigin[] ORIGINS = {
        new TraceOrigin("host-a", 17, "regionserver"), new TraceOrigin("host-b", 18, ""),
    };
    private static final long WALL = 1_700_000_000_000_000_000L;

    private Events() {}

    /** Returns events of two processes with every field drawn at random. */
    static List<TraceEvent> random(long seed, int count) {
        Random random = new Random(seed);
        List<TraceEvent> events = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < count; i++) {
            now += random.nextInt(1_000) * 1_000L;
            events.add(random(random, now));
        }
        return events;
    }

    private static TraceEvent random(Random random, long now) {
        TraceOrigin origin = ORIGINS[random.nextInt(ORIGINS.length)];
        // Each process has its own monotonic clock.
        long mono = now + origin.pid() * 1_000_000L;
        TraceEventBuilder event = new TraceEventBuilder(CALLS[random.nextInt(CALLS.length)])
                        .origin(origin)
                        .at(WALL + now, mono)
                        .duration(random.nextInt(5_000) * 1_000L)
                        .caller("thread-" + random.nextInt(5), random.nextInt(4) == 0 ? "" : "hbase", context(random))
                        .fileSystem(random.nextInt(3))
                        .stream(random.nextInt(10) - 1L)
                        .path("/hbase/data/t/r%d/f/été-%d".formatted(random.nextInt(3), random.nextInt(30)));
        if (random.nextInt(3) > 0) {
            event.range(random.nextInt(1 << 20), random.nextInt(1 << 17)).result(random.nextInt(1 << 17));
        } else if (random.nextInt(50) == 0) {
            event.range(Long.MAX_VALUE / 2, Long.MAX_VALUE).result(Long.MAX_VALUE - 2);
        }
        if (random.nextInt(10) == 0) {
            event.target("/target").error("FileNotFoundException").hints("readahead=4194304");
        }
        if (random.nextInt(4) == 0) {
            event.collapsed(2 + random.nextInt(1_000), mono + random.nextInt(10_000) * 1_000L);
        }
        return event.build();
    }

    /** Returns such events, each turned into a system call with a descriptor and a file size. */
    static List<TraceEvent> randomOfVersion2(long seed, int count) {
        Random random = new Random(seed);
        List<TraceEvent> events = new ArrayList<>();
        for (TraceEvent e : random(seed, count)) {
            Call call = Call.ofLabel(SYSTEM_CALLS[random.nextInt(SYSTEM_CALLS.length)])
                    .orElseThrow();
            long descriptor = random.nextInt(5) == 0 ? TraceEvent.NONE : random.nextInt(1_000);
            long end = e.offset() + Math.max(0, e.result());
            long size = random.nextInt(3) == 0 ? TraceEvent.NONE : random.nextBoolean() ? Math.max(0, end) : 77;
            events.add(new TraceEvent(
                    e.origin(),
                    e.wallNanos(),
                    e.monoNanos(),
                    e.durationNanos(),
                    e.lastNanos(),
                    call,
                    e.count(),
                    e.thread(),
                    e.user(),
                    e.context(),
                    e.fileSystem(),
                    e.stream(),
                    e.path(),
                    e.target(),
                    e.offset(),
                    e.length(),
                    e.result(),
                    e.error(),
                    e.hints(),
                    descriptor,
                    size));
        }
        return events;
    }

    private static String context(Random random) {
        return random.nextInt(5) == 0 ? "mapreduce_task_" + random.nextInt(3) : "";
    }
}
