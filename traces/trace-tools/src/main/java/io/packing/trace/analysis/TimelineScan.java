// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The timeline of recordings, made while their events pass by. Runs of sequential requests become one. If there are too
 * many, those of the files with the fewest bytes are left out. Confined to one thread.
 */
final class TimelineScan {
    private static final Map<Call, String> MARKS = Map.of(
            Call.SYS_FSYNC, "fsync",
            Call.SYS_FDATASYNC, "fsync",
            Call.SYS_MSYNC, "fsync",
            Call.SYS_SYNC_FILE_RANGE, "fsync",
            Call.SYS_RENAME, "rename",
            Call.SYS_RENAMEAT, "rename",
            Call.SYS_RENAMEAT2, "rename");

    private record StreamKey(String task, String host, long stream) {}

    private record FileName(String task, String path) {}

    private static final class FollowedFile {
        private final String thread;
        private final long start;
        private String path;
        private long end;
        private long read;
        private long written;

        private FollowedFile(TraceEvent event, long at) {
            thread = event.thread();
            path = event.path();
            start = at;
            end = at;
        }
    }

    private final int most;
    private final Map<String, Long> begins = new HashMap<>();
    private final Set<StreamKey> noFiles = new HashSet<>();
    private final Map<StreamKey, FollowedFile> open = new LinkedHashMap<>();
    private final List<Timeline.Access> accesses = new ArrayList<>();
    private final List<Timeline.Mark> marks = new ArrayList<>();
    private final Map<StreamKey, Timeline.Request> running = new LinkedHashMap<>();
    private final List<Timeline.Request> requests = new ArrayList<>();

    /** @param most limit of accesses, and of runs of requests */
    TimelineScan(int most) {
        this.most = most;
    }

    void add(TraceEvent event) {
        if (!SystemScan.isSystem(event)
                || !SystemScan.isFile(event.path())
                || event.path().isEmpty()) {
            return;
        }
        String task = event.context();
        if (event.call().isNote() && event.call() != Call.CLOSED) {
            return;
        }
        long at = event.monoNanos() - begins.computeIfAbsent(task, key -> event.monoNanos());
        StreamKey stream = new StreamKey(task, event.origin().host(), event.stream());
        if (MARKS.containsKey(event.call()) && !event.failed()) {
            marks.add(new Timeline.Mark(task, event.path(), MARKS.getOrDefault(event.call(), ""), at));
        }
        if (event.stream() == TraceEvent.NONE || event.failed() || isNoFile(event, stream)) {
            return;
        }
        FollowedFile file = open.computeIfAbsent(stream, key -> new FollowedFile(event, at));
        file.path = event.path();
        file.end = at + event.durationNanos();
        if (event.bytes() > 0) {
            moved(event, stream, file, at);
        }
        boolean closes = event.call() == Call.SYS_CLOSE && !event.hints().contains("shared=true");
        if (closes || event.call() == Call.CLOSED) {
            ended(stream);
        }
    }

    /** Returns whether an open file is a directory or a device. */
    private boolean isNoFile(TraceEvent event, StreamKey stream) {
        if (SystemScan.opens(event.call())) {
            noFiles.remove(stream);
        }
        String hints = event.hints();
        if (event.call().listsDirectory() || hints.contains("type=dir") || hints.contains("type=other")) {
            noFiles.add(stream);
            open.remove(stream);
        }
        return noFiles.contains(stream);
    }

    private void moved(TraceEvent event, StreamKey stream, FollowedFile file, long at) {
        boolean write = event.call().writes();
        if (write) {
            file.written += event.bytes();
        } else {
            file.read += event.bytes();
        }
        if (event.offset() == TraceEvent.NONE) {
            return;
        }
        Timeline.Request before = running.get(stream);
        boolean goesOn = before != null
                && before.write() == write
                && before.thread().equals(event.thread())
                && before.path().equals(event.path())
                && before.offset() + before.length() == event.offset();
        if (before != null && !goesOn) {
            requests.add(before);
        }
        long end = at + event.durationNanos();
        running.put(
                stream,
                before != null && goesOn
                        ? new Timeline.Request(
                                before.task(),
                                before.path(),
                                before.thread(),
                                write,
                                before.start(),
                                end,
                                before.offset(),
                                before.length() + event.bytes(),
                                before.count() + event.count())
                        : new Timeline.Request(
                                stream.task(),
                                event.path(),
                                event.thread(),
                                write,
                                at,
                                end,
                                event.offset(),
                                event.bytes(),
                                event.count()));
    }

    private void ended(StreamKey stream) {
        FollowedFile file = open.remove(stream);
        Timeline.Request last = running.remove(stream);
        if (last != null) {
            requests.add(last);
        }
        if (file != null) {
            accesses.add(new Timeline.Access(
                    stream.task(),
                    file.path,
                    SystemGroups.kind(file.path),
                    file.thread,
                    file.start,
                    file.end,
                    file.read,
                    file.written));
        }
    }

    /** Returns the timeline, with the ends of accesses that are still open. */
    Timeline finish() {
        for (StreamKey left : List.copyOf(open.keySet())) {
            ended(left);
        }
        accesses.sort(Comparator.comparing(Timeline.Access::task).thenComparingLong(Timeline.Access::start));
        requests.sort(Comparator.comparing(Timeline.Request::task).thenComparingLong(Timeline.Request::start));
        Set<FileName> kept = kept();
        List<Timeline.Request> fitting = requests.stream()
                .filter(request -> kept.contains(new FileName(request.task(), request.path())))
                .toList();
        List<Timeline.Access> first = accesses.size() <= most ? accesses : accesses.subList(0, most);
        return new Timeline(first, marks, fitting, requests.size() - fitting.size());
    }

    /** Returns the files with the most bytes whose requests fit. */
    private Set<FileName> kept() {
        Map<FileName, long[]> sums = new LinkedHashMap<>();
        for (Timeline.Request request : requests) {
            long[] sum = sums.computeIfAbsent(new FileName(request.task(), request.path()), key -> new long[2]);
            sum[0] += request.length();
            sum[1]++;
        }
        Set<FileName> kept = new HashSet<>();
        long[] room = {most};
        sums.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> -entry.getValue()[0]))
                .forEach(entry -> {
                    if (entry.getValue()[1] <= room[0]) {
                        room[0] -= entry.getValue()[1];
                        kept.add(entry.getKey());
                    }
                });
        return kept;
    }
}
