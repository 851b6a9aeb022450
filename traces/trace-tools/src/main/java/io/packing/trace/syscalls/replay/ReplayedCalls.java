// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The replay of each call. */
final class ReplayedCalls {
    private static final long NONE = TraceEvent.NONE;

    /** A replay of a call, which returns a value to compare with {@link #expected}, or {@link TraceEvent#NONE}. */
    private interface Maker {
        long make(TraceEvent event) throws IOException;
    }

    /** A replay of a call that returns nothing to compare. */
    private interface Doer {
        void make(TraceEvent event) throws IOException;
    }

    private final Map<Call, Maker> makers = new EnumMap<>(Call.class);
    /** The streams that are no files below the root. */
    private final Set<Long> elsewhere = new HashSet<>();

    private final Set<String> untraced;
    private final ReplayedFiles files;
    private final NameOperations names;

    /** @param untraced paths that appeared without an event: calls on them cannot be replayed */
    ReplayedCalls(Sandbox sandbox, ReplayedFiles files, Set<String> untraced) {
        this.untraced = untraced;
        this.files = files;
        this.names = new NameOperations(sandbox);
        onNames();
        onFiles();
    }

    private void on(Maker maker, Call... calls) {
        for (Call call : calls) {
            makers.put(call, maker);
        }
    }

    private void act(Doer doer, Call... calls) {
        on(
                event -> {
                    doer.make(event);
                    return NONE;
                },
                calls);
    }

    private void onNames() {
        act(files::open, Call.SYS_OPEN, Call.SYS_OPENAT, Call.SYS_OPENAT2, Call.SYS_CREAT);
        act(names::rename, Call.SYS_RENAME, Call.SYS_RENAMEAT, Call.SYS_RENAMEAT2);
        act(names::link, Call.SYS_LINK, Call.SYS_LINKAT);
        act(names::symlink, Call.SYS_SYMLINK, Call.SYS_SYMLINKAT);
        act(names::remove, Call.SYS_UNLINK, Call.SYS_UNLINKAT, Call.SYS_RMDIR);
        act(names::makeDirectory, Call.SYS_MKDIR, Call.SYS_MKDIRAT);
        act(names::makeFile, Call.SYS_MKNOD, Call.SYS_MKNODAT);
        act(names::access, Call.SYS_ACCESS, Call.SYS_FACCESSAT, Call.SYS_FACCESSAT2);
        act(names::readLink, Call.SYS_READLINK, Call.SYS_READLINKAT);
        on(event -> names.status(event, false), Call.SYS_STAT);
        on(event -> names.status(event, true), Call.SYS_LSTAT);
        // The trace does not say whether the call followed a link; the size of a link's own status is no file's.
        on(
                event -> event.stream() != NONE
                        ? files.channel(event).size()
                        : names.status(event, event.hints().contains("type=link")),
                Call.SYS_NEWFSTATAT,
                Call.SYS_STATX);
    }

    private void onFiles() {
        on(
                files::read,
                Call.SYS_READ,
                Call.SYS_PREAD64,
                Call.SYS_READV,
                Call.SYS_PREADV,
                Call.SYS_PREADV2,
                Call.SYS_AIO_READ,
                Call.SYS_SENDFILE,
                Call.SYS_COPY_FILE_RANGE,
                Call.SYS_SPLICE);
        on(
                files::write,
                Call.SYS_WRITE,
                Call.SYS_PWRITE64,
                Call.SYS_WRITEV,
                Call.SYS_PWRITEV,
                Call.SYS_PWRITEV2,
                Call.SYS_AIO_WRITE,
                Call.SYS_SENDFILE_TO,
                Call.SYS_COPY_FILE_RANGE_TO,
                Call.SYS_SPLICE_TO);
        act(files::list, Call.SYS_GETDENTS, Call.SYS_GETDENTS64);
        act(event -> files.channel(event).position(Math.max(0, event.result())), Call.SYS_LSEEK);
        act(event -> ReplayedFiles.resize(files.channel(event), event.length()), Call.SYS_FTRUNCATE);
        act(files::truncate, Call.SYS_TRUNCATE);
        act(this::allocate, Call.SYS_FALLOCATE);
        act(event -> files.channel(event).force(true), Call.SYS_FSYNC);
        act(event -> files.channel(event).force(false), Call.SYS_FDATASYNC);
        act(files::copy, Call.SYS_FICLONE, Call.SYS_FICLONERANGE);
        on(event -> files.channel(event).size(), Call.SYS_FSTAT);
        act(
                event -> {
                    if (!event.hints().contains("shared=true")) {
                        files.close(event);
                    }
                },
                Call.SYS_CLOSE);
    }

    private void allocate(TraceEvent event) throws IOException {
        FileChannel channel = files.channel(event);
        String mode = event.hints();
        if (mode.contains("COLLAPSE_RANGE")) {
            channel.truncate(channel.size() - event.length());
        } else if (mode.contains("INSERT_RANGE")) {
            ReplayedFiles.extend(channel, channel.size() + event.length());
        } else if (!mode.contains("KEEP_SIZE")) {
            ReplayedFiles.extend(channel, event.offset() + event.length());
        }
    }

    /** Returns whether a call is replayed: this class can make it, and its file is below the root. */
    boolean takes(TraceEvent event) {
        boolean opens = OpenFlags.opens(event.call());
        if (opens && (!Sandbox.holds(event.path()) || event.hints().contains("type=other") || isNoFile(event))) {
            elsewhere.add(event.stream());
            return false;
        }
        if (opens) {
            elsewhere.remove(event.stream());
        }
        return makers.containsKey(event.call())
                && !untraced.contains(event.path())
                && !untraced.contains(event.target())
                && Sandbox.holds(event.path())
                && (event.target().isEmpty() || isLink(event.call()) || Sandbox.holds(event.target()))
                && !event.hints().contains("type=other")
                && (event.stream() == NONE || !elsewhere.contains(event.stream()));
    }

    /** Returns whether an open succeeded without an open file, such as of a socket. */
    private static boolean isNoFile(TraceEvent event) {
        return !event.failed() && event.stream() == NONE;
    }

    private static boolean isLink(Call call) {
        return call == Call.SYS_SYMLINK || call == Call.SYS_SYMLINKAT;
    }

    long make(TraceEvent event) throws IOException {
        Maker maker = makers.get(event.call());
        if (maker == null) {
            throw new IllegalStateException("no replay of " + event.call().label());
        }
        return maker.make(event);
    }

    /** Returns the expected result of a call, as far as the trace has it: bytes moved, or a regular file's length. */
    static long expected(TraceEvent event) {
        if (event.call().reads() || event.call().writes()) {
            return Math.max(0, event.result());
        }
        return switch (event.call()) {
            case SYS_STAT, SYS_LSTAT, SYS_FSTAT, SYS_NEWFSTATAT, SYS_STATX ->
                event.hints().contains("type=dir") || event.hints().contains("type=link") ? NONE : event.fileSize();
            default -> NONE;
        };
    }

    /** Closes an open file whose last descriptor is gone without a call. */
    void forget(TraceEvent event) throws IOException {
        files.close(event);
    }
}
