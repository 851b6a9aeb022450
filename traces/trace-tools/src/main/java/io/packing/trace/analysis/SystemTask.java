// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The state of a task for the figures of chapter 2, while its events pass by. Confined to one thread. */
final class SystemTask {
    private static final String FIGURE = "figure";

    private record Mover(long process, String thread) {}

    private record Stream(String host, long number) {}

    private final String name;
    private final Totals totals;
    private final Askers askers;
    private final TreeMap<String, SystemFile> names = new TreeMap<>();
    private final Map<Stream, SystemAccess> open = new HashMap<>();
    private final Map<Mover, long[]> threads = new HashMap<>();
    private final Set<SystemFile> files = new LinkedHashSet<>();
    private boolean tracesFaults;
    private long opens;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    SystemTask(String name, Totals totals, Askers askers) {
        this.name = name;
        this.totals = totals;
        this.askers = askers;
    }

    /** Adds to a group of a figure, such as 2.3. */
    void count(String figure, String group, long value) {
        totals.add(value, FIGURE, figure, name, group);
    }

    /** Returns whether the recorder saw page faults, so that a mapping alone reads nothing. */
    boolean tracesFaults() {
        return tracesFaults;
    }

    void faultsAreTraced() {
        tracesFaults = true;
    }

    /** Returns the cause of a call. */
    Askers.Asker asker(TraceEvent event) {
        return askers.of(event);
    }

    void time(TraceEvent event) {
        first = Math.min(first, event.wallNanos());
        last = Math.max(last, event.wallNanos() + event.durationNanos());
    }

    SystemFile file(String path) {
        return names.computeIfAbsent(path, key -> {
            SystemFile file = new SystemFile(SystemGroups.kind(key));
            files.add(file);
            return file;
        });
    }

    void remove(String path) {
        names.remove(path);
    }

    /** Renames a file, or a directory with all names below it. */
    void rename(String from, String to) {
        SystemFile moved = names.remove(from);
        if (moved != null) {
            names.put(to, moved);
        }
        // '0' follows '/'.
        NavigableMap<String, SystemFile> below = names.subMap(from + "/", true, from + "0", false);
        TreeMap<String, SystemFile> renamed = new TreeMap<>(below);
        below.clear();
        renamed.forEach((path, file) -> names.put(to + path.substring(from.length()), file));
    }

    void link(String from, String to) {
        names.put(to, file(from));
    }

    void exchange(String one, String other) {
        String between = one + "\\x00";
        rename(one, between);
        rename(other, one);
        rename(between, other);
    }

    Iterable<SystemFile> files() {
        return files;
    }

    /** Returns the access of an event; a file that was open before the trace begins one here. */
    SystemAccess access(TraceEvent event) {
        return open.computeIfAbsent(
                new Stream(event.origin().host(), event.stream()),
                key -> new SystemAccess(file(event.path()), event.call().listsDirectory(), opens));
    }

    /** Begins an access at an open; ends an older one of its number, from another recording. */
    void opened(TraceEvent event, boolean directory) {
        ended(event);
        opens += directory ? 0 : 1;
        SystemAccess access = new SystemAccess(file(event.path()), directory, opens);
        open.put(new Stream(event.origin().host(), event.stream()), access);
    }

    void ended(TraceEvent event) {
        SystemAccess access = open.remove(new Stream(event.origin().host(), event.stream()));
        if (access != null) {
            end(access);
        }
    }

    void threadMoved(TraceEvent event, boolean read) {
        long[] bytes = threads.computeIfAbsent(new Mover(event.origin().pid(), event.thread()), key -> new long[2]);
        bytes[read ? 0 : 1] += event.bytes();
    }

    private void end(SystemAccess access) {
        boolean accessed = access.moved();
        if (access.directory) {
            count("2.2", access.listed ? "directory, read" : "directory, not read", 1);
            return;
        }
        count("2.2", accessed ? "file, accessed" : "file, not accessed", 1);
        count("2.23", "opens", 1);
        count("2.23", "prefetch", access.prefetched ? 1 : 0);
        count("2.23", "drop", access.dropped ? 1 : 0);
        count("2.23", "pattern", access.patterned ? 1 : 0);
        count("2.23", "direct", access.direct ? 1 : 0);
        if (!accessed) {
            return;
        }
        count("table-2.2", "accesses", 1);
        String size = SystemGroups.size(access.file.size);
        count("2.6", size, 1);
        count("2.7", size, Math.max(0, access.file.size));
        use(access);
        count("2.15", access.reads.order(), access.reads.bytes);
        count("2.16", access.writes.order(), access.writes.bytes);
        if (access.reads.order().equals("sequential")) {
            count("2.17", access.reads.bytes >= access.file.size ? "entire file" : "part of it", access.reads.bytes);
        }
        count("2.19", SystemGroups.opens(opens - access.opensBefore), 1);
        count("2.20", "data", 1);
    }

    private void use(SystemAccess access) {
        long reads = access.reads.bytes;
        long writes = access.writes.bytes;
        count("2.9", writes == 0 ? "read" : reads == 0 ? "write" : "both", 1);
        if (writes == 0 || reads == 0) {
            count("2.10", "read only", reads);
            count("2.10", "write only", writes);
        } else {
            count("2.10", "both: read", reads);
            count("2.10", "both: written", writes);
        }
    }

    /** Ends all open accesses, and adds the counts that need the whole task. */
    void finish() {
        open.values().forEach(this::end);
        open.clear();
        for (SystemFile file : files) {
            if (file.touched) {
                count("table-2.2", "files", 1);
                count("table-2.2", "file_bytes", file.largest);
                count("files-by-type", file.kind, 1);
            }
            if (file.opened) {
                count("2.24", "inodes", 1);
                count("2.24", "prefetch", file.prefetched ? 1 : 0);
                count("2.24", "drop", file.dropped ? 1 : 0);
                count("2.24", "pattern", file.patterned ? 1 : 0);
                count("2.24", "direct", file.direct ? 1 : 0);
            }
            count("2.25", "not forced", file.unforced);
            count(SystemEffects.FORCED_BY_ASKER, "not forced", file.unforced);
            count("2.18", "preallocated", file.preallocatedTo - file.preallocatedFrom);
        }
        count("table-2.2", "nanos", first > last ? 0 : last - first);
        threads();
    }

    private void threads() {
        List<long[]> byBytes = threads.values().stream()
                .filter(bytes -> bytes[0] + bytes[1] > 0)
                .sorted((a, b) -> Long.compare(b[0] + b[1], a[0] + a[1]))
                .toList();
        for (int i = 0; i < byBytes.size(); i++) {
            long[] bytes = byBytes.get(i);
            count("2.31", i == 0 ? "first" : i == 1 ? "second" : "others", bytes[0] + bytes[1]);
            count("2.31", "threads", 1);
            count("2.32", bytes[1] == 0 ? "read" : bytes[0] == 0 ? "write" : "both", 1);
        }
    }
}
