// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The counts of chapter 2's figures (iBench), task by task, as the events of a recording pass by. Memory grows with the
 * number of files and of the touched ranges. Confined to one thread.
 */
final class SystemScan {
    private static final Set<Call> OPENS =
            Set.of(Call.SYS_OPEN, Call.SYS_OPENAT, Call.SYS_OPENAT2, Call.SYS_CREAT, Call.SYS_OPEN_BY_HANDLE_AT);
    private static final Set<Call> PLACED_WRITES = Set.of(Call.SYS_PWRITE64, Call.SYS_PWRITEV, Call.SYS_PWRITEV2);
    private static final Pattern DIRECT = Pattern.compile("\\bO_DIRECT\\b");
    /** The kernel's interfaces that look like files. */
    private static final String[] NO_FILES = {"/proc/", "/sys/", "/dev/"};

    private final Map<String, SystemTask> tasks = new HashMap<>();
    private final Askers askers = new Askers();
    private final Totals totals;

    SystemScan(Totals totals) {
        this.totals = totals;
    }

    /** Returns whether an event is of a recording of system calls. */
    static boolean isSystem(TraceEvent event) {
        return event.call().subject() == Subject.SYSTEM || event.call().isNote();
    }

    /** Returns whether a call opens a file. */
    static boolean opens(Call call) {
        return OPENS.contains(call);
    }

    void add(TraceEvent event) {
        if (!isSystem(event)) {
            totals.add(1, "hdfs-events");
            return;
        }
        if (event.call() == Call.UNSEEN) {
            totals.add(Math.max(0, event.result()), "unseen", event.hints().replace("reason=", ""));
        }
        if (event.call() == Call.IRREGULAR) {
            totals.add(Math.max(0, event.result()), "irregular", event.hints().replace("reason=", ""));
        }
        if (event.call() == Call.STACK) {
            askers.add(event);
        }
        if (event.call() == Call.PAGED) {
            SystemEffects.paged(event, task(event));
        }
        if (event.call() == Call.PROCESSOR) {
            task(event).count("table-2.2", "processor_nanos", Math.max(0, event.result()));
        }
        if (event.call().isNote() && event.call() != Call.CLOSED) {
            return;
        }
        SystemTask task = task(event);
        if (event.call() == Call.CLOSED) {
            closed(event, task);
            return;
        }
        totals.add(1, "system-events");
        task.time(event);
        asked(event);
        if (isFile(event.path())) {
            metadata(event.call(), task);
            if (!event.failed()) {
                take(event, task);
            }
        }
    }

    private SystemTask task(TraceEvent event) {
        return tasks.computeIfAbsent(event.context(), name -> new SystemTask(name, totals, askers));
    }

    /** Adds to the counts of the library that caused the call. */
    private void asked(TraceEvent event) {
        String library = askers.of(event).library();
        if (!library.isEmpty()) {
            totals.add(1, SystemFindings.LIBRARY, library, "calls");
            totals.add(
                    event.bytes(), SystemFindings.LIBRARY, library, event.call().reads() ? "read" : "written");
        }
    }

    /** Returns whether a path is no interface of the kernel. */
    static boolean isFile(String path) {
        for (String none : NO_FILES) {
            if (path.startsWith(none)) {
                return false;
            }
        }
        return true;
    }

    private static void metadata(Call call, SystemTask task) {
        String name = call.label().substring("sys_".length());
        if (name.contains("xattr")) {
            task.count("2.20", "xattr", 1);
        } else if (name.contains("statfs")) {
            task.count("2.20", "statfs", 1);
        } else if (name.contains("stat")) {
            task.count("2.20", "stat", 1);
        } else if (name.contains("access")) {
            task.count("2.20", "access", 1);
        }
    }

    private void take(TraceEvent event, SystemTask task) {
        Call call = event.call();
        if (OPENS.contains(call)) {
            open(event, task);
        } else if (call.reads() || call.writes()) {
            SystemTransfers.move(event, task, PLACED_WRITES.contains(call));
        } else if (call.listsDirectory()) {
            task.access(event).listed = true;
            task.count("2.3", "directories", Math.max(0, event.result()));
        } else if (call == Call.SYS_CLOSE) {
            closed(event, task);
        } else if (!SystemEffects.take(event, task)) {
            SystemEffects.name(event, task);
        }
        if (event.stream() != TraceEvent.NONE && call != Call.SYS_CLOSE && event.fileSize() != TraceEvent.NONE) {
            sized(task.access(event).file, event.fileSize());
        }
    }

    private static void sized(SystemFile file, long size) {
        file.size = size;
        file.largest = Math.max(file.largest, size);
    }

    private static void open(TraceEvent event, SystemTask task) {
        if (event.stream() == TraceEvent.NONE || event.hints().contains("type=other")) {
            return;
        }
        boolean directory = event.hints().contains("type=dir") || event.hints().contains("O_DIRECTORY");
        if (event.hints().contains("created=true")) {
            // The name's earlier file, if any, is another one.
            task.remove(event.path());
        }
        task.opened(event, directory);
        if (!directory) {
            SystemAccess access = task.access(event);
            access.file.opened = true;
            task.count("2.4", access.file.kind, 1);
            if (DIRECT.matcher(event.hints()).find()) {
                access.direct = true;
                access.file.direct = true;
            }
        }
    }

    private static void closed(TraceEvent event, SystemTask task) {
        if (!event.hints().contains("shared=true") && !event.failed()) {
            if (event.fileSize() != TraceEvent.NONE) {
                sized(task.file(event.path()), event.fileSize());
            }
            task.ended(event);
        }
    }

    /** Adds the counts that need whole tasks. */
    void finish() {
        tasks.values().forEach(SystemTask::finish);
        tasks.clear();
    }
}
