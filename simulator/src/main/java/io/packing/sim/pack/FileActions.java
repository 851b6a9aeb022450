// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The actions on whole files that a trace's calls stand for: HDFS clients' calls, and system calls as a program or a FUSE mount made
 * them. A file is written when it is closed, synced or truncated after a change, with all its bytes: also where a program changed a part
 * of it.
 */
public final class FileActions {
    private static final Set<Call> OPENS = Set.of(Call.SYS_OPEN, Call.SYS_OPENAT, Call.SYS_OPENAT2, Call.SYS_CREAT);
    private static final Set<Call> SYNCS = Set.of(Call.SYS_FSYNC, Call.SYS_FDATASYNC);
    private static final Set<Call> RENAMES =
            Set.of(Call.RENAME, Call.SYS_RENAME, Call.SYS_RENAMEAT, Call.SYS_RENAMEAT2);
    private static final Set<Call> DELETES =
            Set.of(Call.DELETE, Call.BULK_DELETE, Call.SYS_UNLINK, Call.SYS_UNLINKAT, Call.SYS_RMDIR);
    private static final Set<Call> DIRECTORIES = Set.of(Call.MKDIRS, Call.SYS_MKDIR, Call.SYS_MKDIRAT);
    private static final List<String> NO_FILES = List.of("/proc/", "/sys/", "/dev/");

    /** A receiver of actions. */
    public interface Target {
        /** Writes a file whole, in the place of one that is there. */
        void write(String host, String path, long size);

        /** Reads bytes of a file; an offset below 0 is unknown. */
        void read(String host, String path, long offset, long length);

        /** Renames a file or directory. */
        void rename(String from, String to);

        /** Deletes a file or directory, if it is there. */
        void delete(String path);

        /** Makes a directory. */
        void makeDirectory(String path);
    }

    /** A file that is open for writes, or that the trace wrote before. */
    private static final class Draft {
        private long size;
        private boolean changed;

        private Draft(long size) {
            this.size = size;
        }
    }

    private final Target target;
    private final Map<String, Draft> open = new HashMap<>();
    /** The last known lengths of files, for those that a program changes in part. */
    private final Map<String, Long> sizes = new HashMap<>();

    private long events;
    private long unknown;
    private long failed;

    public FileActions(Target target) {
        this.target = target;
    }

    /** Takes the next event of the trace. */
    public void take(TraceEvent event) {
        events++;
        Call call = event.call();
        if (event.failed()) {
            failed++;
        } else if (call == Call.UNKNOWN) {
            unknown++;
        } else if (!event.path().isEmpty() && NO_FILES.stream().noneMatch(event.path()::startsWith)) {
            act(call, event);
            if (event.fileSize() != TraceEvent.NONE) {
                sizes.put(event.path(), event.fileSize());
            }
        }
    }

    private Draft draft(String path) {
        return open.computeIfAbsent(path, name -> new Draft(sizes.getOrDefault(name, 0L)));
    }

    private void write(TraceEvent event, long size) {
        sizes.put(event.path(), size);
        target.write(event.origin().host(), event.path(), size);
    }

    private void act(Call call, TraceEvent event) {
        if (call.writes()) {
            wrote(event);
        } else if (call == Call.CLOSE_OUTPUT) {
            Draft draft = open.remove(event.path());
            write(event, draft == null ? 0 : draft.size);
        } else if (call.listsDirectory()) {
            return;
        } else if (call.reads()) {
            if (event.bytes() > 0) {
                target.read(event.origin().host(), event.path(), event.offset(), event.bytes());
            }
        } else if (RENAMES.contains(call)) {
            rename(event);
        } else if (DELETES.contains(call)) {
            open.remove(event.path());
            sizes.remove(event.path());
            target.delete(event.path());
        } else if (DIRECTORIES.contains(call)) {
            target.makeDirectory(event.path());
        } else {
            onOpenFile(call, event);
        }
    }

    private void wrote(TraceEvent event) {
        if (event.call().subject() != Subject.SYSTEM) {
            Draft output = open.computeIfAbsent(event.path(), path -> new Draft(0));
            output.size += event.bytes();
            output.changed = true;
            return;
        }
        Draft draft = draft(event.path());
        draft.changed = true;
        if (event.fileSize() != TraceEvent.NONE) {
            draft.size = event.fileSize();
        } else {
            draft.size = Math.max(draft.size, event.offset() < 0 ? draft.size + event.bytes() : event.end());
        }
    }

    private void onOpenFile(Call call, TraceEvent event) {
        if (OPENS.contains(call)) {
            opened(event);
        } else if (call == Call.SYS_FTRUNCATE) {
            Draft draft = draft(event.path());
            draft.changed = true;
            draft.size = Math.max(0, event.fileSize() == TraceEvent.NONE ? event.length() : event.fileSize());
        } else if (call == Call.SYS_TRUNCATE) {
            long size = Math.max(0, event.fileSize() == TraceEvent.NONE ? event.length() : event.fileSize());
            write(event, size);
        } else if (SYNCS.contains(call)) {
            publish(event);
        } else if (call == Call.CLOSED
                || (call == Call.SYS_CLOSE && !event.hints().contains("shared=true"))) {
            publish(event);
            open.remove(event.path());
        }
    }

    private void opened(TraceEvent event) {
        boolean writes = event.call() == Call.SYS_CREAT
                || event.hints().contains("O_WRONLY")
                || event.hints().contains("O_RDWR");
        if (!writes) {
            return;
        }
        Draft draft = draft(event.path());
        boolean empty = event.call() == Call.SYS_CREAT
                || event.hints().contains("O_TRUNC")
                || event.hints().contains("created=true")
                || (event.hints().contains("O_CREAT") && !sizes.containsKey(event.path()));
        if (empty) {
            draft.size = 0;
            draft.changed = true;
        }
    }

    private void publish(TraceEvent event) {
        Draft draft = open.get(event.path());
        if (draft != null && draft.changed) {
            draft.changed = false;
            write(event, draft.size);
        }
    }

    private void rename(TraceEvent event) {
        boolean refused = event.call() == Call.RENAME && event.result() == 0;
        if (refused
                || event.target().isEmpty()
                || event.target().equals(event.path())
                || event.hints().contains("RENAME_EXCHANGE")) {
            return;
        }
        move(open, event.path(), event.target());
        move(sizes, event.path(), event.target());
        target.rename(event.path(), event.target());
    }

    /** Gives what is known of a path, or of the paths below it, another name. */
    static <T> void move(Map<String, T> of, String from, String to) {
        T one = of.remove(from);
        if (one != null) {
            of.put(to, one);
            return;
        }
        for (String path : below(of, from)) {
            T moved = of.remove(path);
            if (moved != null) {
                of.put(to + path.substring(from.length()), moved);
            }
        }
    }

    /** Returns the paths below a directory. Renames and deletes of directories are rare, so a scan will do. */
    static <T> List<String> below(Map<String, T> of, String directory) {
        String prefix = directory + "/";
        List<String> found = new ArrayList<>();
        for (String path : of.keySet()) {
            if (path.startsWith(prefix)) {
                found.add(path);
            }
        }
        found.sort(String::compareTo);
        return found;
    }

    public long events() {
        return events;
    }

    /** Counts the events of calls that this version does not know. */
    public long unknown() {
        return unknown;
    }

    public long failed() {
        return failed;
    }

    /** Counts the files that were still open for writes at the end of the trace: their size is unknown, and they are not written. */
    public long unclosed() {
        return open.values().stream().filter(draft -> draft.changed).count();
    }
}
