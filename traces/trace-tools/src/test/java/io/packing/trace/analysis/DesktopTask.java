// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A handmade recording: system calls of one process, with the sizes that a recorder would know. */
final class DesktopTask {
    private static final TraceOrigin ORIGIN = new TraceOrigin("desk", 7, "app");
    private static final long START = 1_700_000_000_000_000_000L;

    private final String task;
    private final List<TraceEvent> events = new ArrayList<>();
    private final Map<Long, String> paths = new HashMap<>();
    private final Map<String, Long> sizes = new HashMap<>();
    private String thread = "7";
    private long streams;

    DesktopTask(String task) {
        this.task = task;
    }

    List<TraceEvent> events() {
        return events;
    }

    SystemFindings findings() {
        Totals totals = new Totals();
        SystemScan scan = new SystemScan(totals);
        events.forEach(scan::add);
        scan.finish();
        return new SystemFindings(
                totals, new InputReport(1, events.size(), 0, 0, 0, 0, 0, 0, List.of()), timeline(1_000));
    }

    /** @param most limit of lines */
    Timeline timeline(int most) {
        TimelineScan scan = new TimelineScan(most);
        events.forEach(scan::add);
        return scan.finish();
    }

    private TraceEventBuilder event(Call call) {
        long now = events.size() * 1_000_000L;
        return new TraceEventBuilder(call)
                .origin(ORIGIN)
                .at(START + now, now)
                .duration(1_000)
                .caller(thread, "", task);
    }

    private DesktopTask add(TraceEventBuilder event) {
        events.add(event.build());
        return this;
    }

    DesktopTask by(String threadId) {
        thread = threadId;
        return this;
    }

    /** Adds a file from before the recording. */
    DesktopTask file(String path, long size) {
        sizes.put(path, size);
        return this;
    }

    long open(String path, String hints) {
        long stream = ++streams;
        paths.put(stream, path);
        if (hints.contains("O_TRUNC") || hints.contains("created=true")) {
            sizes.put(path, 0L);
        }
        TraceEventBuilder event =
                event(Call.SYS_OPENAT).stream(stream).path(path).descriptor(3).hints(hints);
        add(hints.contains("type=dir") ? event : event.fileSize(sizes.getOrDefault(path, 0L)));
        return stream;
    }

    long open(String path) {
        return open(path, "flags=O_RDONLY");
    }

    DesktopTask move(Call call, long stream, long offset, long bytes) {
        String path = String.valueOf(paths.get(stream));
        if (call.writes()) {
            sizes.merge(path, offset + bytes, Math::max);
        }
        return add(event(call).stream(stream)
                .path(path)
                .range(offset, bytes)
                .result(bytes)
                .fileSize(sizes.getOrDefault(path, 0L)));
    }

    DesktopTask read(long stream, long offset, long bytes) {
        return move(Call.SYS_READ, stream, offset, bytes);
    }

    DesktopTask write(long stream, long offset, long bytes) {
        return move(Call.SYS_WRITE, stream, offset, bytes);
    }

    /** Adds another call on an open file. */
    DesktopTask on(Call call, long stream, String hints) {
        String path = String.valueOf(paths.get(stream));
        return add(event(call).stream(stream)
                .path(path)
                .fileSize(sizes.getOrDefault(path, 0L))
                .hints(hints));
    }

    DesktopTask resize(Call call, long stream, long size) {
        sizes.put(String.valueOf(paths.get(stream)), size);
        return on(call, stream, "");
    }

    DesktopTask map(long stream, long bytes, String hints) {
        String path = String.valueOf(paths.get(stream));
        return add(event(Call.SYS_MMAP).stream(stream)
                .path(path)
                .range(0, bytes)
                .fileSize(sizes.getOrDefault(path, 0L))
                .hints(hints));
    }

    DesktopTask list(long stream, long bytes) {
        return add(event(Call.SYS_GETDENTS64).stream(stream)
                .path(String.valueOf(paths.get(stream)))
                .result(bytes));
    }

    DesktopTask close(long stream) {
        return on(Call.SYS_CLOSE, stream, "");
    }

    DesktopTask named(Call call, String path, String target, String hints) {
        if (call == Call.SYS_RENAME && sizes.containsKey(path)) {
            sizes.put(target, sizes.get(path));
        }
        return add(event(call).path(path).target(target).hints(hints));
    }

    /** Adds a stack, which calls name by its number. */
    DesktopTask stack(long number, String frames) {
        return note(Call.STACK, number, "frames=" + frames);
    }

    DesktopTask note(Call call, long result, String hints) {
        return add(event(call).result(result).hints(hints));
    }
}
