// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.Set;

/** The figures' counts of calls that move no bytes: durability, hints, mappings, locks, names. */
final class SystemEffects {
    private static final Set<String> PREFETCHES = Set.of("advice=POSIX_FADV_WILLNEED", "advice=MADV_WILLNEED");
    private static final Set<String> DROPS =
            Set.of("advice=POSIX_FADV_DONTNEED", "advice=POSIX_FADV_NOREUSE", "advice=MADV_DONTNEED");
    /** The figure of bytes forced to disk, in the groups of Figure 2.25. */
    static final String FORCED_BY_ASKER = "2.25b";

    private static final Set<Call> EVERYTHING = Set.of(Call.SYS_SYNC, Call.SYS_SYNCFS);

    private SystemEffects() {}

    /** Takes a call on an open file; returns false if it has none of these effects. */
    static boolean take(TraceEvent event, SystemTask task) {
        switch (event.call()) {
            case SYS_FSYNC, SYS_FDATASYNC, SYS_SYNC_FILE_RANGE, SYS_MSYNC -> {
                task.count("2.26", SystemGroups.forced(task.access(event).file.unforced), 1);
                force(task, task.access(event).file, event);
            }
            case SYS_SYNC, SYS_SYNCFS -> task.files().forEach(file -> force(task, file, event));
            case SYS_FTRUNCATE, SYS_FALLOCATE -> allocate(event, task);
            case SYS_FADVISE64, SYS_READAHEAD, SYS_MADVISE -> advise(event, task);
            case SYS_MMAP -> map(event, task);
            case SYS_FLOCK -> task.count("2.29", "flock", 1);
            case SYS_FCNTL -> lock(event, task);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void force(SystemTask task, SystemFile file, TraceEvent event) {
        Call call = event.call();
        String by = EVERYTHING.contains(call) ? "sync" : call.label().substring("sys_".length());
        task.count("2.25", by, file.unforced);
        task.count(FORCED_BY_ASKER, task.asker(event).cause(), file.unforced);
        file.unforced = 0;
    }

    private static void allocate(TraceEvent event, SystemTask task) {
        SystemFile file = task.access(event).file;
        if (file.size != TraceEvent.NONE && event.fileSize() > file.size) {
            SystemTransfers.preallocate(file, file.size, event.fileSize());
        }
    }

    /** Returns the first pair of the hints: a stack may follow. */
    private static String first(String hints) {
        int end = hints.indexOf(' ');
        return end < 0 ? hints : hints.substring(0, end);
    }

    private static void advise(TraceEvent event, SystemTask task) {
        SystemAccess access = task.access(event);
        if (event.call() == Call.SYS_READAHEAD || PREFETCHES.contains(first(event.hints()))) {
            access.prefetched = true;
            access.file.prefetched = true;
        } else if (DROPS.contains(first(event.hints()))) {
            access.dropped = true;
            access.file.dropped = true;
        } else {
            access.patterned = true;
            access.file.patterned = true;
        }
    }

    /**
     * Counts a mapping. It is of a program if any mapping of its file is executable (§2.6.1 leaves those out). Only the
     * linker denies writing.
     */
    private static void map(TraceEvent event, SystemTask task) {
        SystemFile file = task.access(event).file;
        file.executable |= event.hints().contains("PROT_EXEC") || event.hints().contains("MAP_DENYWRITE");
        long bytes = file.size == TraceEvent.NONE
                ? event.length()
                : Math.max(0, Math.min(event.length(), file.size - event.offset()));
        if (!task.tracesFaults()) {
            task.count("2.8", mapped(file, event), bytes);
        }
    }

    /** Counts the bytes that a page fault brought in; such a note without a path tells that faults are traced. */
    static void paged(TraceEvent event, SystemTask task) {
        task.faultsAreTraced();
        if (!event.path().isEmpty() && SystemScan.isFile(event.path())) {
            task.count("2.8", mapped(task.file(event.path()), event), event.result());
        }
    }

    private static String mapped(SystemFile file, TraceEvent event) {
        return file.executable || isLibrary(event.path()) ? "mapped programs" : "mapped";
    }

    private static boolean isLibrary(String path) {
        return path.endsWith(".so") || path.contains(".so.");
    }

    private static void lock(TraceEvent event, SystemTask task) {
        for (String command : new String[] {"SETLKW", "SETLK", "GETLK"}) {
            if (event.hints().startsWith("cmd=F_" + command) || event.hints().startsWith("cmd=F_OFD_" + command)) {
                task.count("2.29", "F_" + command, 1);
                return;
            }
        }
    }

    /** Takes a call that changes names. */
    static void name(TraceEvent event, SystemTask task) {
        switch (event.call()) {
            case SYS_RENAME, SYS_RENAMEAT, SYS_RENAMEAT2 -> rename(event, task);
            case SYS_LINK, SYS_LINKAT -> task.link(event.path(), event.target());
            case SYS_UNLINK, SYS_UNLINKAT, SYS_RMDIR -> task.remove(event.path());
            default -> {
                // The call changes nothing that a figure shows.
            }
        }
    }

    private static void rename(TraceEvent event, SystemTask task) {
        task.count("2.28", task.asker(event).cause(), 1);
        SystemFile file = task.file(event.path());
        boolean exchanged = event.hints().contains("RENAME_EXCHANGE");
        if (exchanged) {
            atomic(task, file, "exchange");
            atomic(task, task.file(event.target()), "exchange");
            task.exchange(event.path(), event.target());
        } else {
            boolean stays = directory(event.path()).equals(directory(event.target()));
            atomic(task, file, stays ? "rename, same directory" : "rename, other directory");
            task.remove(event.target());
            task.rename(event.path(), event.target());
        }
    }

    /** Counts the bytes written to a file that become those of its new name, all at once. */
    private static void atomic(SystemTask task, SystemFile file, String how) {
        if (file.writtenUnderItsName > 0) {
            task.count("2.27", how, file.writtenUnderItsName);
            task.count("2.27", "atomic writes", 1);
            file.writtenUnderItsName = 0;
        }
    }

    private static String directory(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
