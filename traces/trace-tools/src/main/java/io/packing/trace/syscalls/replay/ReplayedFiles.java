// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open files of a replay, by the stream numbers of the trace. */
final class ReplayedFiles implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private static final class Open {
        private final FileChannel channel;
        /** True if the replay has listed the directory: the trace asks repeatedly, until it gets no more entries. */
        private boolean listed;

        private Open(FileChannel channel) {
            this.channel = channel;
        }
    }

    private final Sandbox sandbox;
    private final Map<Long, Open> streams = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    ReplayedFiles(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    void open(TraceEvent event) throws IOException {
        OpenFlags flags = OpenFlags.of(event);
        FileChannel channel;
        Path path;
        if (flags.unnamed()) {
            path = Files.createTempFile(sandbox.through(event.path()), ".replay-", "");
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            Files.delete(path);
        } else {
            path = sandbox.through(event.path());
            if (flags.create() && flags.exclusive() && Files.isSymbolicLink(path)) {
                throw new FileAlreadyExistsException(path.toString());
            }
            if (flags.directory() && Files.exists(path) && !Files.isDirectory(path)) {
                throw new NotDirectoryException(path.toString());
            }
            channel = FileChannel.open(path, flags.options());
        }
        if (event.stream() == TraceEvent.NONE) {
            // The open failed in the trace, or its target is no file: no later event closes it.
            channel.close();
            return;
        }
        Open before = streams.put(event.stream(), new Open(channel));
        if (before != null) {
            before.channel.close();
        }
    }

    /** Returns the open file of an event. A file that was open before the recording is opened now. */
    private Open of(TraceEvent event) throws IOException {
        Open open = streams.get(event.stream());
        if (open == null) {
            Path path = sandbox.through(event.path());
            Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ));
            if (!Files.isDirectory(path)) {
                options.add(StandardOpenOption.WRITE);
            }
            open = new Open(FileChannel.open(path, options));
            streams.put(event.stream(), open);
        }
        return open;
    }

    FileChannel channel(TraceEvent event) throws IOException {
        return of(event).channel;
    }

    /** Closes the stream of an event, if the replay opened it. */
    void close(TraceEvent event) throws IOException {
        Open open = streams.remove(event.stream());
        if (open != null) {
            open.channel.close();
        }
    }

    /** Replays a read; returns the number of bytes read. */
    long read(TraceEvent event) throws IOException {
        FileChannel channel = of(event).channel;
        // Of bytes that the recorded call did not get, one buffer is enough to see the end of the file.
        long wanted = Math.min(
                event.length() == TraceEvent.NONE ? event.bytes() : event.length(),
                Math.max(event.bytes(), 0) + BUFFER_BYTES);
        long at = event.offset() == TraceEvent.NONE ? channel.position() : event.offset();
        long done = 0;
        while (done < wanted) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), wanted - done));
            int moved = channel.read(buffer, at + done);
            if (moved <= 0) {
                break;
            }
            done += moved;
        }
        follow(event, channel, at + done);
        return done;
    }

    /** Replays a write with meaningless bytes of the recorded number; returns that number. */
    long write(TraceEvent event) throws IOException {
        FileChannel channel = of(event).channel;
        long at = event.offset() == TraceEvent.NONE ? channel.size() : event.offset();
        long done = 0;
        while (done < event.bytes()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), event.bytes() - done));
            done += channel.write(buffer, at + done);
        }
        follow(event, channel, at + done);
        return done;
    }

    private static void follow(TraceEvent event, FileChannel channel, long end) throws IOException {
        if (event.call() == Call.SYS_READ || event.call() == Call.SYS_READV) {
            channel.position(end);
        }
    }

    /** Sets a file's length. */
    static void resize(FileChannel channel, long length) throws IOException {
        if (length < channel.size()) {
            channel.truncate(length);
        } else {
            extend(channel, length);
        }
    }

    /** Sets the length of a path's file. */
    void truncate(TraceEvent event) throws IOException {
        try (FileChannel channel = FileChannel.open(sandbox.through(event.path()), StandardOpenOption.WRITE)) {
            resize(channel, event.length());
        }
    }

    /** Extends a file to at least a length. */
    static void extend(FileChannel channel, long length) throws IOException {
        if (length > channel.size()) {
            channel.write(ByteBuffer.wrap(new byte[1]), length - 1);
        }
    }

    /** Lists a directory at the trace's first request for its entries. */
    void list(TraceEvent event) throws IOException {
        Open open = of(event);
        if (open.listed && event.result() > 0) {
            return;
        }
        open.listed = event.result() > 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(sandbox.through(event.path()))) {
            for (Path ignored : entries) {
                // The iteration fetches the entries from the kernel.
            }
        }
    }

    /** Copies the source of a clone to its target. */
    void copy(TraceEvent event) throws IOException {
        FileChannel to = of(event).channel;
        boolean range = event.call() == Call.SYS_FICLONERANGE;
        try (FileChannel from = FileChannel.open(sandbox.through(event.target()), StandardOpenOption.READ)) {
            long length = range ? event.length() : from.size();
            long at = range ? Math.max(0, event.offset()) : 0;
            resize(to, range ? Math.max(to.size(), at + length) : length);
            from.transferTo(0, Math.min(length, from.size()), to.position(at));
        }
    }

    @Override
    public void close() throws IOException {
        @Nullable FileSystemException failure = null;
        for (Open open : streams.values()) {
            try {
                open.channel.close();
            } catch (FileSystemException e) {
                failure = e;
            }
        }
        streams.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
