// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.util.Optional;

/** The handlers of calls that name paths. */
final class PathCalls {
    private static final String NOT_THERE = "ENOENT";

    private final Recording recording;
    private final Handlers handlers;
    private final Tasks tasks;

    PathCalls(Recording recording, Handlers handlers, Tasks tasks) {
        this.recording = recording;
        this.handlers = handlers;
        this.tasks = tasks;
        renames();
        asks();
        changes();
    }

    private void renames() {
        handlers.on(
                "rename",
                (task, call) -> rename(
                        Call.SYS_RENAME, task, call, handlers.path(task, call, 0), handlers.path(task, call, 1), ""));
        handlers.on(
                "renameat",
                (task, call) -> rename(
                        Call.SYS_RENAMEAT,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        handlers.pathAt(task, call, 2, 3),
                        ""));
        handlers.on(
                "renameat2",
                (task, call) -> rename(
                        Call.SYS_RENAMEAT2,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        handlers.pathAt(task, call, 2, 3),
                        call.arguments().text(4)));
        handlers.on(
                "link",
                (task, call) ->
                        link(Call.SYS_LINK, task, call, handlers.path(task, call, 0), handlers.path(task, call, 1)));
        handlers.on(
                "linkat",
                (task, call) -> link(
                        Call.SYS_LINKAT,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        handlers.pathAt(task, call, 2, 3)));
        handlers.on("symlink", (task, call) -> symlink(Call.SYS_SYMLINK, task, call, handlers.path(task, call, 1)));
        handlers.on(
                "symlinkat",
                (task, call) -> symlink(Call.SYS_SYMLINKAT, task, call, handlers.pathAt(task, call, 1, 2)));
        handlers.on("unlink", (task, call) -> unlink(Call.SYS_UNLINK, task, call, handlers.path(task, call, 0), ""));
        handlers.on("rmdir", (task, call) -> unlink(Call.SYS_RMDIR, task, call, handlers.path(task, call, 0), ""));
        handlers.on(
                "unlinkat",
                (task, call) -> unlink(
                        Call.SYS_UNLINKAT,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        "flags=" + call.arguments().text(2)));
        handlers.on("mkdir", (task, call) -> make(Call.SYS_MKDIR, task, call, handlers.path(task, call, 0), true));
        handlers.on(
                "mkdirat", (task, call) -> make(Call.SYS_MKDIRAT, task, call, handlers.pathAt(task, call, 0, 1), true));
        handlers.on("mknod", (task, call) -> make(Call.SYS_MKNOD, task, call, handlers.path(task, call, 0), false));
        handlers.on(
                "mknodat",
                (task, call) -> make(Call.SYS_MKNODAT, task, call, handlers.pathAt(task, call, 0, 1), false));
        handlers.on("truncate", this::truncate);
    }

    private void asks() {
        handlers.on("stat", (task, call) -> status(Call.SYS_STAT, task, call, handlers.path(task, call, 0), 1));
        handlers.on("lstat", (task, call) -> status(Call.SYS_LSTAT, task, call, handlers.path(task, call, 0), 1));
        handlers.on("fstat", (task, call) -> statusOfOpen(Call.SYS_FSTAT, task, call, 1));
        handlers.on("newfstatat", (task, call) -> statusAt(Call.SYS_NEWFSTATAT, task, call, 2));
        handlers.on("statx", (task, call) -> statusAt(Call.SYS_STATX, task, call, 4));
        on("statfs", Call.SYS_STATFS, "");
        on("access", Call.SYS_ACCESS, "mode");
        onAt("faccessat", Call.SYS_FACCESSAT, "mode");
        onAt("faccessat2", Call.SYS_FACCESSAT2, "mode");
        on("readlink", Call.SYS_READLINK, "");
        onAt("readlinkat", Call.SYS_READLINKAT, "");
        on("getxattr", Call.SYS_GETXATTR, "");
        on("lgetxattr", Call.SYS_LGETXATTR, "");
        on("listxattr", Call.SYS_LISTXATTR, "");
        on("llistxattr", Call.SYS_LLISTXATTR, "");
    }

    private void changes() {
        on("chmod", Call.SYS_CHMOD, "mode");
        onAt("fchmodat", Call.SYS_FCHMODAT, "mode");
        on("chown", Call.SYS_CHOWN, "");
        on("lchown", Call.SYS_LCHOWN, "");
        onAt("fchownat", Call.SYS_FCHOWNAT, "");
        on("utime", Call.SYS_UTIME, "");
        on("utimes", Call.SYS_UTIMES, "");
        onAt("futimesat", Call.SYS_FUTIMESAT, "");
        onAt("utimensat", Call.SYS_UTIMENSAT, "");
        on("setxattr", Call.SYS_SETXATTR, "");
        on("lsetxattr", Call.SYS_LSETXATTR, "");
        on("removexattr", Call.SYS_REMOVEXATTR, "");
        on("lremovexattr", Call.SYS_LREMOVEXATTR, "");
        on("chroot", Call.SYS_CHROOT, "");
        on("umount2", Call.SYS_UMOUNT2, "");
        on("pivot_root", Call.SYS_PIVOT_ROOT, "");
        handlers.on(
                "mount",
                (task, call) ->
                        give(recording.event(Call.SYS_MOUNT, call, task).path(handlers.path(task, call, 1)), call, ""));
        handlers.on(
                "inotify_add_watch",
                (task, call) -> give(
                        recording.event(Call.SYS_INOTIFY_ADD_WATCH, call, task).path(handlers.path(task, call, 1)),
                        call,
                        ""));
    }

    /** Registers a call whose first argument is a path, and whose second may become a hint. */
    private void on(String name, Call kind, String hint) {
        handlers.on(name, (task, call) -> named(kind, task, call, handlers.path(task, call, 0), hint, 1));
    }

    /** Registers a call whose first two arguments are a directory and a path, and whose third may become a hint. */
    private void onAt(String name, Call kind, String hint) {
        handlers.on(name, (task, call) -> {
            Optional<OpenFile> open = ofDescriptor(task, call);
            if (open.isPresent()) {
                int descriptor = call.arguments().descriptor(0);
                give(recording.event(kind, call, task, descriptor, open.get()), call, "");
            } else {
                named(kind, task, call, handlers.pathAt(task, call, 0, 1), hint, 2);
            }
        });
    }

    private void named(Call kind, TracedThread task, SystemCall call, String path, String hint, int argument) {
        noteAbsence(call, path);
        // EINVAL of readlink proves a file that is no link.
        if (call.result().succeeded() || call.result().error().equals("EINVAL")) {
            recording.noteInitial(path);
            recording.tree().at(path);
        }
        String hints = hint.isEmpty() ? "" : hint + "=" + call.arguments().text(argument);
        give(recording.event(kind, call, task).path(path), call, hints);
    }

    private void give(TraceEventBuilder event, SystemCall call, String hints) {
        boolean counts = call.result().succeeded() && call.result().value() > 0;
        recording.give(event.hints(hints).result(counts ? call.result().value() : TraceEvent.NONE));
    }

    private void noteAbsence(SystemCall call, String path) {
        if (call.result().error().equals(NOT_THERE)) {
            recording.tree().absent(path);
        }
    }

    /** Returns the open file of a call with a descriptor and an empty path or none. */
    private Optional<OpenFile> ofDescriptor(TracedThread task, SystemCall call) {
        boolean empty = call.arguments()
                .path(1)
                .map(String::isEmpty)
                .orElse(call.arguments().isNull(1));
        return empty && call.arguments().descriptor(0) >= 0
                ? handlers.open(task, call, 0).filter(OpenFile::isFile)
                : Optional.empty();
    }

    private void rename(Call kind, TracedThread task, SystemCall call, String from, String to, String flags) {
        recording.noteInitial(from);
        recording.noteInitial(to);
        TraceEventBuilder event = recording.event(kind, call, task).path(from).target(to);
        if (call.result().succeeded()) {
            if (flags.contains("RENAME_EXCHANGE")) {
                String between = from + "\\x00";
                recording.tree().exchange(from, to);
                tasks.renamed(from, between);
                tasks.renamed(to, from);
                tasks.renamed(between, to);
            } else {
                recording.tree().rename(from, to);
                tasks.renamed(from, to);
            }
            event.fileSize(recording.tree().at(to).size());
        }
        recording.give(event.hints(flags.isEmpty() || flags.equals("0") ? "" : "flags=" + flags));
    }

    private void link(Call kind, TracedThread task, SystemCall call, String from, String to) {
        recording.noteInitial(from);
        if (call.result().succeeded() && !from.isEmpty()) {
            recording.tree().link(from, to);
        }
        recording.give(recording.event(kind, call, task).path(from).target(to));
    }

    private void symlink(Call kind, TracedThread task, SystemCall call, String path) {
        String target = call.arguments().path(0).orElse("");
        if (call.result().succeeded()) {
            recording.tree().create(path).kind(InitialState.Kind.LINK);
        }
        recording.give(recording.event(kind, call, task).path(path).target(target));
    }

    private void unlink(Call kind, TracedThread task, SystemCall call, String path, String hints) {
        recording.noteInitial(path);
        TraceEventBuilder event = recording.event(kind, call, task).path(path).hints(hints);
        if (call.result().succeeded()) {
            event.fileSize(recording.tree().at(path).size());
            recording.tree().unlink(path);
        }
        noteAbsence(call, path);
        recording.give(event);
    }

    private void make(Call kind, TracedThread task, SystemCall call, String path, boolean directory) {
        if (call.result().succeeded()) {
            TracedFile made = recording.tree().create(path);
            if (directory) {
                made.kind(InitialState.Kind.DIR);
            } else {
                made.size(0);
            }
        }
        recording.give(recording.event(kind, call, task).path(path));
    }

    private void truncate(TracedThread task, SystemCall call) {
        String path = handlers.path(task, call, 0);
        recording.noteInitial(path);
        long length = call.arguments().number(1);
        TracedFile file = recording.tree().at(path);
        if (call.result().succeeded()) {
            file.size(length);
        }
        recording.give(recording
                .event(Call.SYS_TRUNCATE, call, task)
                .path(path)
                .range(TraceEvent.NONE, Math.max(TraceEvent.NONE, length))
                .fileSize(file.size()));
    }

    private void statusAt(Call kind, TracedThread task, SystemCall call, int structure) {
        if (ofDescriptor(task, call).isPresent()) {
            statusOfOpen(kind, task, call, structure);
        } else if (call.arguments().path(1).map(String::isEmpty).orElse(true)
                && call.arguments().descriptor(0) >= 0) {
            // The status is that of a pipe or a socket.
        } else {
            status(kind, task, call, handlers.pathAt(task, call, 0, 1), structure);
        }
    }

    private void status(Call kind, TracedThread task, SystemCall call, String path, int structure) {
        noteAbsence(call, path);
        TraceEventBuilder event = recording.event(kind, call, task).path(path);
        if (call.result().succeeded()) {
            recording.noteInitial(path);
            Status status = Status.of(call.arguments(), structure);
            // The call may have followed a link, so the status may be its target's.
            if (status.kind() != InitialState.Kind.LINK
                    && !recording.tree().at(path).isLink()) {
                status.applyTo(recording.tree().at(path));
            }
            event.fileSize(status.size()).hints(status.hints());
        }
        recording.give(event);
    }

    private void statusOfOpen(Call kind, TracedThread task, SystemCall call, int structure) {
        handlers.open(task, call, 0).filter(OpenFile::isFile).ifPresent(open -> {
            Status status = Status.of(call.arguments(), structure);
            if (call.result().succeeded()) {
                status.applyTo(open.file());
            }
            recording.give(recording
                    .event(kind, call, task, call.arguments().descriptor(0), open)
                    .hints(status.hints()));
        });
    }
}
