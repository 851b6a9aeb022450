// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.util.Map;
import java.util.Optional;

/** The handlers of calls on open files that move no bytes: sizes, durability, hints, mappings, clones of ranges. */
final class FileStateCalls {
    private static final long NONE = TraceEvent.NONE;

    private final Recording recording;
    private final Handlers handlers;

    FileStateCalls(Recording recording, Handlers handlers) {
        this.recording = recording;
        this.handlers = handlers;
        handlers.on("ftruncate", this::truncate);
        handlers.on("fallocate", this::allocate);
        handlers.on("fsync", (task, call) -> on(Call.SYS_FSYNC, task, call));
        handlers.on("fdatasync", (task, call) -> on(Call.SYS_FDATASYNC, task, call));
        handlers.on("syncfs", (task, call) -> on(Call.SYS_SYNCFS, task, call));
        handlers.on("sync", (task, call) -> recording.give(recording.event(Call.SYS_SYNC, call, task)));
        handlers.on("sync_file_range", (task, call) -> range(Call.SYS_SYNC_FILE_RANGE, task, call, "flags"));
        handlers.on("fadvise64", (task, call) -> range(Call.SYS_FADVISE64, task, call, "advice"));
        handlers.on("readahead", (task, call) -> range(Call.SYS_READAHEAD, task, call, ""));
        handlers.on("fstatfs", (task, call) -> on(Call.SYS_FSTATFS, task, call));
        handlers.on("fchmod", (task, call) -> on(Call.SYS_FCHMOD, task, call));
        handlers.on("fchown", (task, call) -> on(Call.SYS_FCHOWN, task, call));
        handlers.on("fgetxattr", (task, call) -> on(Call.SYS_FGETXATTR, task, call));
        handlers.on("flistxattr", (task, call) -> on(Call.SYS_FLISTXATTR, task, call));
        handlers.on("fsetxattr", (task, call) -> on(Call.SYS_FSETXATTR, task, call));
        handlers.on("fremovexattr", (task, call) -> on(Call.SYS_FREMOVEXATTR, task, call));
        handlers.on("mmap", this::map);
        handlers.on("msync", (task, call) -> mapped(Call.SYS_MSYNC, task, call, "flags"));
        handlers.on("madvise", (task, call) -> mapped(Call.SYS_MADVISE, task, call, "advice"));
        handlers.on("ioctl", this::ioctl);
    }

    private Optional<OpenFile> file(TracedThread task, SystemCall call) {
        return handlers.open(task, call, 0).filter(OpenFile::isFile);
    }

    private TraceEventBuilder event(Call kind, TracedThread task, SystemCall call, OpenFile open) {
        return recording.event(kind, call, task, call.arguments().descriptor(0), open);
    }

    private void on(Call kind, TracedThread task, SystemCall call) {
        file(task, call).ifPresent(open -> recording.give(event(kind, task, call, open)));
    }

    private void truncate(TracedThread task, SystemCall call) {
        file(task, call).ifPresent(open -> {
            long length = call.arguments().number(1);
            if (call.result().succeeded()) {
                open.file().size(length);
            }
            recording.give(event(Call.SYS_FTRUNCATE, task, call, open).range(NONE, Math.max(NONE, length)));
        });
    }

    private void allocate(TracedThread task, SystemCall call) {
        file(task, call).ifPresent(open -> {
            String mode = call.arguments().text(1);
            long offset = call.arguments().number(2);
            long length = call.arguments().number(3);
            if (call.result().succeeded()) {
                allocated(open.file(), mode, offset, length);
            }
            recording.give(event(Call.SYS_FALLOCATE, task, call, open)
                    .range(Math.max(NONE, offset), Math.max(NONE, length))
                    .hints("mode=" + mode));
        });
    }

    private static void allocated(TracedFile file, String mode, long offset, long length) {
        if (mode.contains("COLLAPSE_RANGE") && file.isSizeKnown()) {
            file.size(Math.max(0, file.size() - length));
        } else if (mode.contains("INSERT_RANGE") && file.isSizeKnown()) {
            file.size(file.size() + length);
        } else if (!mode.contains("KEEP_SIZE")) {
            file.wroteTo(offset + length);
        }
    }

    /** Handles a call whose arguments are a descriptor, an offset, a length and perhaps a flag. */
    private void range(Call kind, TracedThread task, SystemCall call, String hint) {
        file(task, call)
                .ifPresent(open -> recording.give(event(kind, task, call, open)
                        .range(
                                Math.max(NONE, call.arguments().number(1)),
                                Math.max(NONE, call.arguments().number(2)))
                        .hints(
                                hint.isEmpty()
                                        ? ""
                                        : hint + "=" + call.arguments().text(3))));
    }

    private void map(TracedThread task, SystemCall call) {
        long address = call.result().value();
        long length = call.arguments().number(1);
        int descriptor = call.arguments().descriptor(4);
        boolean anonymous = descriptor < 0 || call.arguments().text(3).contains("MAP_ANONYMOUS");
        Optional<OpenFile> open =
                anonymous ? Optional.empty() : handlers.open(task, call, 4).filter(OpenFile::isFile);
        if (call.result().succeeded()) {
            task.memory().unmap(address, length);
        }
        if (open.isEmpty()) {
            return;
        }
        long offset = StraceNumbers.leading(call.arguments().text(5), 0);
        String protection = call.arguments().text(2);
        String flags = call.arguments().text(3);
        if (call.result().succeeded()) {
            task.memory().map(address, length, offset, open.get());
            if (protection.contains("PROT_WRITE") && flags.contains("MAP_SHARED")) {
                recording.unseen(UnrecordedReason.MAPPED_WRITE, 1);
            }
        }
        recording.give(recording
                .event(Call.SYS_MMAP, call, task, descriptor, open.get())
                .range(offset, length)
                .hints("prot=" + protection + " flags=" + flags));
    }

    /** Handles a call on a range of memory; ignores memory without a mapped file. */
    private void mapped(Call kind, TracedThread task, SystemCall call, String hint) {
        long address = StraceNumbers.leading(call.arguments().text(0), 0);
        Optional<Map.Entry<Long, TracedThread.Memory.Mapping>> at =
                task.memory().at(address);
        if (at.isEmpty()) {
            return;
        }
        TracedThread.Memory.Mapping mapping = at.get().getValue();
        OpenFile open = mapping.open();
        recording.give(recording.event(kind, call, task).stream(open.stream())
                .path(open.path())
                .fileSize(open.file().size())
                .range(
                        mapping.offset() + address - at.get().getKey(),
                        Math.max(NONE, call.arguments().number(1)))
                .hints(hint + "=" + call.arguments().text(2)));
    }

    private void ioctl(TracedThread task, SystemCall call) {
        String request = call.arguments().text(1);
        boolean whole = request.contains("FICLONE") && !request.contains("RANGE");
        boolean range = request.contains("FICLONERANGE") || request.contains("BTRFS_IOC_CLONE_RANGE");
        if (!whole && !range && !request.contains("BTRFS_IOC_CLONE")) {
            return;
        }
        file(task, call).ifPresent(open -> {
            TraceEventBuilder event = event(range ? Call.SYS_FICLONERANGE : Call.SYS_FICLONE, task, call, open);
            long length = range ? number(call, "src_length") : NONE;
            long to = range ? number(call, "dest_offset") : NONE;
            String source = range
                    ? call.arguments().field(2, "src_fd").orElse("")
                    : call.arguments().text(2);
            int bracket = source.indexOf('<');
            OpenFile from = handlers.open(
                    task,
                    (int) StraceNumbers.leading(source, -1),
                    bracket < 0 ? DescriptorName.UNKNOWN : DescriptorName.behind(source, bracket));
            if (call.result().succeeded()) {
                if (range) {
                    open.file().wroteTo(to + length);
                } else {
                    open.file().size(from.file().size());
                }
            }
            recording.give(event.range(to, length)
                    .target(from.path())
                    .fileSize(open.file().size()));
        });
    }

    private static long number(SystemCall call, String field) {
        return call.arguments()
                .field(2, field)
                .map(text -> StraceNumbers.leading(text, NONE))
                .orElse(NONE);
    }
}
