// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.util.Optional;

/** The handlers of calls that move bytes of files. */
final class TransferCalls {
    private static final long NONE = TraceEvent.NONE;

    private final Recording recording;
    private final Handlers handlers;

    TransferCalls(Recording recording, Handlers handlers) {
        this.recording = recording;
        this.handlers = handlers;
        handlers.on(
                "read",
                (task, call) -> move(Call.SYS_READ, task, call, call.arguments().number(2), NONE));
        handlers.on(
                "write",
                (task, call) ->
                        move(Call.SYS_WRITE, task, call, call.arguments().number(2), NONE));
        handlers.on(
                "pread64",
                (task, call) ->
                        placed(Call.SYS_PREAD64, task, call, call.arguments().number(2)));
        handlers.on(
                "pwrite64",
                (task, call) ->
                        placed(Call.SYS_PWRITE64, task, call, call.arguments().number(2)));
        handlers.on("readv", (task, call) -> move(Call.SYS_READV, task, call, vector(call), NONE));
        handlers.on("writev", (task, call) -> move(Call.SYS_WRITEV, task, call, vector(call), NONE));
        handlers.on("preadv", (task, call) -> placed(Call.SYS_PREADV, task, call, vector(call)));
        handlers.on("pwritev", (task, call) -> placed(Call.SYS_PWRITEV, task, call, vector(call)));
        handlers.on("preadv2", (task, call) -> placed(Call.SYS_PREADV2, task, call, vector(call)));
        handlers.on("pwritev2", (task, call) -> placed(Call.SYS_PWRITEV2, task, call, vector(call)));
        handlers.on("getdents", (task, call) -> list(Call.SYS_GETDENTS, task, call));
        handlers.on("getdents64", (task, call) -> list(Call.SYS_GETDENTS64, task, call));
        handlers.on("sendfile", this::sendfile);
        handlers.on(
                "copy_file_range",
                (task, call) -> between(Call.SYS_COPY_FILE_RANGE, Call.SYS_COPY_FILE_RANGE_TO, task, call));
        handlers.on("splice", (task, call) -> between(Call.SYS_SPLICE, Call.SYS_SPLICE_TO, task, call));
        handlers.on("lseek", this::seek);
        handlers.on("_llseek", this::longSeek);
        handlers.on(
                "io_uring_enter",
                (task, call) ->
                        submitted(UnrecordedReason.IO_URING, call.result().value(), call));
        handlers.on("io_submit", this::submit);
    }

    private static long vector(SystemCall call) {
        return call.arguments().vectorLength(1);
    }

    /** Handles a call with an offset; -1 means the current position. */
    private void placed(Call kind, TracedThread task, SystemCall call, long length) {
        move(kind, task, call, length, call.arguments().number(3));
    }

    private void move(Call kind, TracedThread task, SystemCall call, long length, long at) {
        handlers.open(task, call, 0)
                .ifPresent(open -> end(kind, task, call, call.arguments().descriptor(0), open, length, at));
    }

    /**
     * Handles one end of a call that moves bytes.
     *
     * @param at offset of the call; {@link TraceEvent#NONE} for the current position
     */
    private void end(
            Call kind, TracedThread task, SystemCall call, int descriptor, OpenFile open, long length, long at) {
        boolean moved = call.result().succeeded();
        long bytes = moved ? Math.max(0, call.result().value()) : 0;
        if (!open.isFile()) {
            if (moved) {
                recording.elsewhere(open.kind(), kind.reads(), bytes);
            }
            return;
        }
        TracedFile file = open.file();
        boolean appends = open.appends() && kind.writes();
        long from = !file.hasOffsets() ? NONE : appends ? file.size() : at == NONE ? open.position() : at;
        if (moved) {
            follow(kind, open, from, bytes, length, at == NONE);
        }
        TraceEventBuilder event = recording.event(kind, call, task, descriptor, open);
        recording.give(event.range(from, Math.max(NONE, length)).result(moved ? bytes : NONE));
    }

    private static void follow(Call kind, OpenFile open, long from, long bytes, long length, boolean sequential) {
        TracedFile file = open.file();
        if (from == NONE) {
            if (sequential) {
                open.position(NONE);
            }
            return;
        }
        if (sequential) {
            open.position(from + bytes);
        }
        if (bytes == 0) {
            if (kind.reads() && length > 0 && !file.isSizeKnown()) {
                file.size(from);
            }
        } else if (kind.writes()) {
            file.wroteTo(from + bytes);
        } else {
            file.readTo(from + bytes);
        }
    }

    private void list(Call kind, TracedThread task, SystemCall call) {
        handlers.open(task, call, 0).filter(OpenFile::isFile).ifPresent(open -> {
            open.file().kind(InitialState.Kind.DIR);
            recording.give(recording
                    .event(kind, call, task, call.arguments().descriptor(0), open)
                    .range(NONE, Math.max(NONE, call.arguments().number(2)))
                    .result(call.result().succeeded() ? call.result().value() : NONE));
        });
    }

    private void sendfile(TracedThread task, SystemCall call) {
        long length = call.arguments().number(3);
        handlers.open(task, call, 1)
                .ifPresent(from -> end(
                        Call.SYS_SENDFILE,
                        task,
                        call,
                        call.arguments().descriptor(1),
                        from,
                        length,
                        call.arguments().pointed(2)));
        handlers.open(task, call, 0)
                .ifPresent(to ->
                        end(Call.SYS_SENDFILE_TO, task, call, call.arguments().descriptor(0), to, length, NONE));
    }

    private void between(Call reads, Call writes, TracedThread task, SystemCall call) {
        // A request beyond the file's end means all of the file.
        long asked = call.arguments().number(4);
        handlers.open(task, call, 0)
                .ifPresent(from -> end(
                        reads,
                        task,
                        call,
                        call.arguments().descriptor(0),
                        from,
                        asked,
                        call.arguments().pointed(1)));
        handlers.open(task, call, 2)
                .ifPresent(to -> end(
                        writes,
                        task,
                        call,
                        call.arguments().descriptor(2),
                        to,
                        asked,
                        call.arguments().pointed(3)));
    }

    private void seek(TracedThread task, SystemCall call) {
        seek(
                task,
                call,
                call.arguments().number(1),
                call.arguments().text(2),
                call.result().value());
    }

    private void longSeek(TracedThread task, SystemCall call) {
        seek(
                task,
                call,
                call.arguments().number(1),
                call.arguments().text(3),
                call.arguments().pointed(2));
    }

    private void seek(TracedThread task, SystemCall call, long by, String whence, long to) {
        Optional<OpenFile> known = handlers.open(task, call, 0).filter(OpenFile::isFile);
        if (known.isEmpty()) {
            return;
        }
        OpenFile open = known.get();
        boolean moved = call.result().succeeded() && to >= 0;
        if (moved && open.file().hasOffsets()) {
            open.position(to);
            if (whence.equals("SEEK_END") && !open.file().isSizeKnown() && to >= by) {
                open.file().size(to - by);
            }
        }
        recording.give(recording
                .event(Call.SYS_LSEEK, call, task, call.arguments().descriptor(0), open)
                .range(moved ? to : NONE, NONE)
                .result(moved ? to : NONE)
                .hints("whence=" + whence));
    }

    private void submitted(UnrecordedReason reason, long operations, SystemCall call) {
        if (call.result().succeeded() && operations > 0) {
            recording.unseen(reason, operations);
        }
    }

    /**
     * Handles asynchronous requests, as far as the backend spells them out. It assumes that they move all bytes that
     * they request.
     */
    private void submit(TracedThread task, SystemCall call) {
        long submitted = call.result().succeeded() ? Math.max(0, call.result().value()) : 0;
        long seen = 0;
        for (AsyncRequest request : AsyncRequest.of(call.arguments().text(2)).stream()
                .limit(submitted)
                .toList()) {
            OpenFile open = handlers.open(task, request.descriptor(), request.name());
            if (!open.isFile() || !request.movesBytes()) {
                seen++;
            } else if (request.saysWhere()) {
                seen++;
                asynchronous(task, call, request, open);
            }
        }
        recording.unseen(UnrecordedReason.AIO, submitted - seen);
    }

    private void asynchronous(TracedThread task, SystemCall call, AsyncRequest request, OpenFile open) {
        Call kind = request.reads() ? Call.SYS_AIO_READ : Call.SYS_AIO_WRITE;
        long end = request.offset() + request.length();
        long moved = request.length();
        if (request.reads()) {
            moved = open.file().isSizeKnown()
                    ? Math.max(0, Math.min(end, open.file().size()) - request.offset())
                    : moved;
        } else {
            open.file().wroteTo(end);
        }
        recording.give(recording
                .event(kind, call, task, request.descriptor(), open)
                .range(request.offset(), request.length())
                .result(moved));
    }
}
