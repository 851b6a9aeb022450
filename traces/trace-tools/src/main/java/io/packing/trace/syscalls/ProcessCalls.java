// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import java.util.Map;
import java.util.Optional;

/** The handlers of calls that make tasks, or change the state that they have and share. */
final class ProcessCalls {
    private static final String VFORK_FLAGS = "CLONE_VM|CLONE_VFORK";

    /** The calls that make a task, with their kinds. */
    static final Map<String, Call> CLONES =
            Map.of("clone", Call.SYS_CLONE, "clone3", Call.SYS_CLONE3, "fork", Call.SYS_FORK, "vfork", Call.SYS_VFORK);

    private final Recording recording;
    private final Tasks tasks;

    ProcessCalls(Recording recording, Handlers handlers, Tasks tasks) {
        this.recording = recording;
        this.tasks = tasks;
        CLONES.forEach((name, kind) -> handlers.on(name, (task, call) -> cloned(kind, task, call)));
        handlers.on("execve", (task, call) -> execute(Call.SYS_EXECVE, task, call, handlers.path(task, call, 0)));
        handlers.on(
                "execveat", (task, call) -> execute(Call.SYS_EXECVEAT, task, call, handlers.pathAt(task, call, 0, 1)));
        handlers.on("unshare", this::unshare);
        handlers.on("chdir", (task, call) -> change(task, call, handlers.path(task, call, 0)));
        handlers.on(
                "fchdir",
                (task, call) -> handlers.open(task, call, 0)
                        .filter(OpenFile::isFile)
                        .ifPresent(open -> {
                            if (call.result().succeeded()) {
                                task.directory(open.path());
                            }
                            recording.give(recording.event(
                                    Call.SYS_FCHDIR,
                                    call,
                                    task,
                                    call.arguments().descriptor(0),
                                    open));
                        }));
    }

    /** Returns the flags of a call that makes a task, also before its return. */
    static String flags(String name, Arguments arguments) {
        if (name.equals("vfork")) {
            return VFORK_FLAGS;
        }
        for (int i = 0; i < arguments.count(); i++) {
            Optional<String> flags = arguments.field(i, "flags");
            if (flags.isPresent()) {
                return flags.get();
            }
        }
        return "";
    }

    private void cloned(Call kind, TracedThread task, SystemCall call) {
        String flags = flags(call.name(), call.arguments());
        if (call.result().succeeded() && call.result().value() > 0) {
            recording.give(recording
                    .event(kind, call, task)
                    .result(call.result().value())
                    .hints(flags.isEmpty() ? "" : "flags=" + flags));
            tasks.cloned(task, flags, (int) call.result().value());
        } else {
            recording.give(recording.event(kind, call, task));
            tasks.notCloned(task);
        }
    }

    private void execute(Call kind, TracedThread task, SystemCall call, String path) {
        if (call.result().succeeded()) {
            task.unshareDescriptors();
            task.execute(path.substring(path.lastIndexOf('/') + 1));
        }
        recording.give(recording.event(kind, call, task).path(path));
        if (call.result().succeeded()) {
            for (int descriptor : task.descriptors().closedOnExec()) {
                recording.closed(task.descriptors().close(descriptor), task);
            }
        }
    }

    private void unshare(TracedThread task, SystemCall call) {
        String flags = call.arguments().text(0);
        if (call.result().succeeded()) {
            if (flags.contains("CLONE_FILES")) {
                task.unshareDescriptors();
            }
            if (flags.contains("CLONE_FS")) {
                task.unsharePlace();
            }
        }
        recording.give(recording.event(Call.SYS_UNSHARE, call, task).hints("flags=" + flags));
    }

    private void change(TracedThread task, SystemCall call, String path) {
        if (call.result().succeeded()) {
            task.directory(path);
        }
        recording.give(recording.event(Call.SYS_CHDIR, call, task).path(path));
    }
}
