// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The handlers of calls that make, copy, change and close descriptors. */
final class OpenCalls {
    private static final String CREATE_FLAGS = "O_WRONLY|O_CREAT|O_TRUNC";
    private static final int LAST_DESCRIPTOR = Integer.MAX_VALUE;

    private record Closing(OpenFile open, boolean last) {}

    /** The closes that did not return yet, by thread. */
    private final Map<Integer, Closing> closing = new HashMap<>();

    private final Recording recording;
    private final Handlers handlers;

    OpenCalls(Recording recording, Handlers handlers) {
        this.recording = recording;
        this.handlers = handlers;
        handlers.on(
                "open",
                (task, call) -> open(
                        Call.SYS_OPEN,
                        task,
                        call,
                        handlers.path(task, call, 0),
                        call.arguments().text(1)));
        handlers.on(
                "creat", (task, call) -> open(Call.SYS_CREAT, task, call, handlers.path(task, call, 0), CREATE_FLAGS));
        handlers.on(
                "openat",
                (task, call) -> open(
                        Call.SYS_OPENAT,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        call.arguments().text(2)));
        handlers.on(
                "openat2",
                (task, call) -> open(
                        Call.SYS_OPENAT2,
                        task,
                        call,
                        handlers.pathAt(task, call, 0, 1),
                        call.arguments().field(2, "flags").orElse("")));
        handlers.on(
                "open_by_handle_at",
                (task, call) -> open(
                        Call.SYS_OPEN_BY_HANDLE_AT,
                        task,
                        call,
                        "",
                        call.arguments().text(2)));
        handlers.on("close", this::close);
        handlers.on("close_range", this::closeRange);
        handlers.on("dup", (task, call) -> duplicate(Call.SYS_DUP, task, call, false));
        handlers.on("dup2", (task, call) -> duplicate(Call.SYS_DUP2, task, call, false));
        handlers.on(
                "dup3",
                (task, call) ->
                        duplicate(Call.SYS_DUP3, task, call, call.arguments().has(2, "O_CLOEXEC")));
        handlers.on("fcntl", this::control);
        handlers.on("flock", this::flock);
    }

    private void open(Call kind, TracedThread task, SystemCall call, String asked, String flags) {
        TraceEventBuilder event = recording.event(kind, call, task);
        Arguments open = new Arguments(List.of(flags));
        if (!call.result().succeeded()) {
            if (call.result().error().equals("ENOENT") && !open.has(0, "O_CREAT")) {
                recording.tree().absent(asked);
            }
            recording.give(event.path(asked).hints("flags=" + flags));
            return;
        }
        int descriptor = (int) call.result().value();
        DescriptorName name = call.result().descriptor();
        boolean closeOnExec = open.has(0, "O_CLOEXEC");
        if (name.isKnown() && !name.isFile()) {
            put(task, descriptor, OpenFile.elsewhere(name), closeOnExec);
            recording.give(event.path(asked).descriptor(descriptor).hints("flags=" + flags));
            return;
        }
        String path = name.isFile()
                ? name.text()
                : recording.real(asked, task.program().pid());
        recording.tree().learn(asked, path);
        boolean unnamed = open.has(0, "O_TMPFILE") || open.has(0, "__O_TMPFILE");
        boolean created = unnamed
                || (open.has(0, "O_CREAT")
                        && (open.has(0, "O_EXCL") || recording.tree().isAbsent(path)));
        TracedFile file = file(path, unnamed, created);
        if (open.has(0, "O_DIRECTORY") && !unnamed) {
            file.kind(InitialState.Kind.DIR);
        } else if (Handlers.isDevice(path)) {
            file.kind(InitialState.Kind.OTHER);
        } else if (created || open.has(0, "O_TRUNC")) {
            file.size(0);
        }
        OpenFile opened = recording.open(file, path, open.has(0, "O_APPEND"), 0);
        put(task, descriptor, opened, closeOnExec);
        recording.give(event.stream(opened.stream())
                .path(path)
                .descriptor(descriptor)
                .fileSize(file.size())
                .hints("flags=" + flags + (created ? " created=true" : "") + type(file)));
    }

    private TracedFile file(String path, boolean unnamed, boolean created) {
        if (unnamed) {
            return new TracedFile();
        }
        if (created) {
            return recording.tree().create(path);
        }
        recording.noteInitial(path);
        return recording.tree().at(path);
    }

    private static String type(TracedFile file) {
        if (file.isDirectory()) {
            return " type=dir";
        }
        return file.hasOffsets() ? "" : " type=other";
    }

    private void put(TracedThread task, int descriptor, OpenFile open, boolean closeOnExec) {
        recording.closed(task.descriptors().put(descriptor, open, closeOnExec), task);
    }

    /**
     * Handles the begin of a close that does not return at once. An open may get the number meanwhile, since the kernel
     * frees it at once.
     */
    void closeBegan(TracedThread task, Arguments known) {
        int descriptor = known.descriptor(0);
        if (descriptor >= 0
                && (known.descriptorName(0).isKnown()
                        || task.descriptors().get(descriptor).isPresent())) {
            OpenFile open = handlers.open(task, descriptor, known.descriptorName(0));
            boolean last = task.descriptors().close(descriptor).isPresent();
            closing.put(task.thread(), new Closing(open, last));
        }
    }

    private void close(TracedThread task, SystemCall call) {
        Closing begun = closing.remove(task.thread());
        Optional<OpenFile> open = begun == null ? handlers.open(task, call, 0) : Optional.of(begun.open());
        if (open.isEmpty()) {
            return;
        }
        int descriptor = call.arguments().descriptor(0);
        // The kernel frees the descriptor even with an error of the file, but not with a wrong number.
        boolean last = begun == null
                ? !call.result().error().equals("EBADF")
                        && task.descriptors().close(descriptor).isPresent()
                : begun.last();
        if (open.get().isFile()) {
            recording.give(recording
                    .event(Call.SYS_CLOSE, call, task, descriptor, open.get())
                    .hints(last ? "" : "shared=true"));
        }
    }

    private void closeRange(TracedThread task, SystemCall call) {
        String flags = call.arguments().text(2);
        recording.give(recording.event(Call.SYS_CLOSE_RANGE, call, task).hints("flags=" + flags));
        if (!call.result().succeeded()) {
            return;
        }
        if (flags.contains("CLOSE_RANGE_UNSHARE")) {
            task.unshareDescriptors();
        }
        int first = bounded(call.arguments().number(0));
        int last = bounded(call.arguments().number(1));
        for (int descriptor : task.descriptors().between(first, last)) {
            if (flags.contains("CLOSE_RANGE_CLOEXEC")) {
                task.descriptors().closeOnExec(descriptor, true);
            } else {
                recording.closed(task.descriptors().close(descriptor), task);
            }
        }
    }

    private static int bounded(long descriptor) {
        return descriptor < 0 || descriptor > LAST_DESCRIPTOR ? LAST_DESCRIPTOR : (int) descriptor;
    }

    private void duplicate(Call kind, TracedThread task, SystemCall call, boolean closeOnExec) {
        int from = call.arguments().descriptor(0);
        Optional<OpenFile> open = handlers.open(task, call, 0);
        if (open.isEmpty()) {
            return;
        }
        if (open.get().isFile()) {
            recording.give(recording
                    .event(kind, call, task, from, open.get())
                    .result(call.result().succeeded() ? call.result().value() : TraceEvent.NONE));
        }
        if (call.result().succeeded() && call.result().value() != from) {
            put(task, (int) call.result().value(), open.get(), closeOnExec);
        }
    }

    private void control(TracedThread task, SystemCall call) {
        Optional<OpenFile> known = handlers.open(task, call, 0);
        if (known.isEmpty()) {
            return;
        }
        OpenFile open = known.get();
        int descriptor = call.arguments().descriptor(0);
        String command = call.arguments().text(1);
        if (open.isFile()) {
            TraceEventBuilder event = recording.event(Call.SYS_FCNTL, call, task, descriptor, open);
            String lock = call.arguments()
                    .field(2, "l_type")
                    .map(type -> " type=" + type)
                    .orElse("");
            long result = call.result().value();
            recording.give(event.hints("cmd=" + command + lock)
                    .result(call.result().succeeded() && command.startsWith("F_DUPFD") ? result : TraceEvent.NONE));
        }
        if (!call.result().succeeded()) {
            return;
        }
        switch (command) {
            case "F_DUPFD" -> put(task, (int) call.result().value(), open, false);
            case "F_DUPFD_CLOEXEC" -> put(task, (int) call.result().value(), open, true);
            case "F_SETFD" ->
                task.descriptors().closeOnExec(descriptor, call.arguments().has(2, "FD_CLOEXEC"));
            case "F_SETFL" -> open.append(call.arguments().has(2, "O_APPEND"));
            default -> {
                // The command changes no state of the model.
            }
        }
    }

    private void flock(TracedThread task, SystemCall call) {
        handlers.open(task, call, 0)
                .filter(OpenFile::isFile)
                .ifPresent(open -> recording.give(recording
                        .event(Call.SYS_FLOCK, call, task, call.arguments().descriptor(0), open)
                        .hints("type=" + call.arguments().text(1))));
    }
}
