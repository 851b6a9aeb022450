// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.trace;

import io.packing.fuse.AttributeUpdate;
import io.packing.fuse.Caller;
import io.packing.fuse.CopiedRange;
import io.packing.fuse.Created;
import io.packing.fuse.DirectoryEntries;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.Opened;
import io.packing.fuse.RenameKind;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * A file system that records its calls as events of a trace, in the form of the system calls that may have caused them.
 * Calls that the kernel answers from its caches are missing. A node stands for a stream, since the kernel does not name
 * the descriptor of a read. Thread-safe.
 */
public final class TracedFiles extends ForwardingFiles {
    private static final long NANOS = 1_000_000_000L;
    private static final int CREATE = 0100;
    private static final int EXCLUSIVE = 0200;
    private static final int TRUNCATE = 01000;
    private static final int APPEND = 02000;

    private final LongFunction<String> paths;
    private final CallTrace trace;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final TraceOrigin origin;
    /** The number of opens of each node. */
    private final Map<Long, Integer> opens = new ConcurrentHashMap<>();

    /**
     * Traces a file system.
     *
     * @param paths of nodes, as programs name them; empty text without a path
     * @param nanoTime the process's clock
     */
    public TracedFiles(
            FuseFileSystem files,
            LongFunction<String> paths,
            CallTrace trace,
            Clock clock,
            LongSupplier nanoTime,
            TraceOrigin origin) {
        super(files);
        this.paths = paths;
        this.trace = trace;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.origin = origin;
    }

    private interface Action<T> {
        T call() throws FuseException, IOException;
    }

    private interface Step {
        void call() throws FuseException, IOException;
    }

    private <T> T traced(Caller caller, TraceEventBuilder event, Action<T> action) throws FuseException, IOException {
        return traced(caller, List.of(event), action);
    }

    /** Runs an action with its events: a call on several files has several. */
    private <T> T traced(Caller caller, List<TraceEventBuilder> events, Action<T> action)
            throws FuseException, IOException {
        Instant wall = clock.instant();
        long start = nanoTime.getAsLong();
        String error = "";
        try {
            return action.call();
        } catch (FuseException e) {
            error = e.errno().name();
            throw e;
        } catch (IOException | RuntimeException e) {
            error = Errno.EIO.name();
            throw e;
        } finally {
            long nanos = nanoTime.getAsLong() - start;
            for (TraceEventBuilder event : events) {
                if (!error.isEmpty()) {
                    event.error(error).result(TraceEvent.NONE);
                }
                trace.add(event.origin(origin)
                        .at(wall.getEpochSecond() * NANOS + wall.getNano(), start)
                        .caller(Integer.toString(caller.process()), Integer.toString(caller.user()), "")
                        .duration(nanos)
                        .build());
            }
        }
    }

    private void traced(Caller caller, TraceEventBuilder event, Step step) throws FuseException, IOException {
        boolean unused = traced(caller, event, () -> {
            step.call();
            return true;
        });
    }

    private TraceEventBuilder on(Call call, long node) {
        return new TraceEventBuilder(call).path(paths.apply(node));
    }

    private TraceEventBuilder in(Call call, long parent, String name) {
        return new TraceEventBuilder(call).path(child(parent, name));
    }

    private String child(long parent, String name) {
        String above = paths.apply(parent);
        return above.endsWith("/") ? above + name : above + "/" + name;
    }

    private static String flags(int flags) {
        StringBuilder text = new StringBuilder("flags=");
        text.append(
                switch (flags & 3) {
                    case 0 -> "O_RDONLY";
                    case 1 -> "O_WRONLY";
                    default -> "O_RDWR";
                });
        append(text, flags, CREATE, "O_CREAT");
        append(text, flags, EXCLUSIVE, "O_EXCL");
        append(text, flags, TRUNCATE, "O_TRUNC");
        append(text, flags, APPEND, "O_APPEND");
        return text.toString();
    }

    private static void append(StringBuilder text, int flags, int bit, String name) {
        if ((flags & bit) != 0) {
            text.append('|').append(name);
        }
    }

    @Override
    public Entry lookup(Caller caller, long parent, String name) throws FuseException, IOException {
        TraceEventBuilder event = in(Call.SYS_NEWFSTATAT, parent, name);
        return traced(caller, event, () -> {
            Entry entry = super.lookup(caller, parent, name);
            if (entry.node() == 0) {
                event.error(Errno.ENOENT.name());
            } else {
                event.fileSize(entry.attributes().size());
            }
            return entry;
        });
    }

    @Override
    public NodeAttributes attributes(Caller caller, long node) throws FuseException, IOException {
        return traced(caller, on(Call.SYS_FSTAT, node), () -> super.attributes(caller, node));
    }

    @Override
    public NodeAttributes setAttributes(Caller caller, long node, AttributeUpdate update)
            throws FuseException, IOException {
        Call call = Call.SYS_UTIMENSAT;
        if (update.size().isPresent()) {
            call = update.opened() ? Call.SYS_FTRUNCATE : Call.SYS_TRUNCATE;
        } else if (update.mode().isPresent()) {
            call = Call.SYS_FCHMODAT;
        } else if (update.user().isPresent() || update.group().isPresent()) {
            call = Call.SYS_FCHOWNAT;
        }
        TraceEventBuilder event = on(call, node);
        update.size().ifPresent(event::fileSize);
        return traced(caller, event, () -> super.setAttributes(caller, node, update));
    }

    @Override
    public byte[] readLink(Caller caller, long node) throws FuseException, IOException {
        return traced(caller, on(Call.SYS_READLINKAT, node), () -> super.readLink(caller, node));
    }

    @Override
    public Entry makeDirectory(Caller caller, long parent, String name, int mode) throws FuseException, IOException {
        return traced(
                caller, in(Call.SYS_MKDIRAT, parent, name), () -> super.makeDirectory(caller, parent, name, mode));
    }

    @Override
    public void unlink(Caller caller, long parent, String name) throws FuseException, IOException {
        traced(caller, in(Call.SYS_UNLINKAT, parent, name), (Step) () -> super.unlink(caller, parent, name));
    }

    @Override
    public void removeDirectory(Caller caller, long parent, String name) throws FuseException, IOException {
        traced(caller, in(Call.SYS_RMDIR, parent, name), (Step) () -> super.removeDirectory(caller, parent, name));
    }

    @Override
    public void rename(Caller caller, long parent, String name, long newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        TraceEventBuilder event = in(Call.SYS_RENAMEAT2, parent, name).target(child(newParent, newName));
        traced(caller, event, (Step) () -> super.rename(caller, parent, name, newParent, newName, kind));
    }

    @Override
    public Entry link(Caller caller, long node, long newParent, String newName) throws FuseException, IOException {
        TraceEventBuilder event = on(Call.SYS_LINKAT, node).target(child(newParent, newName));
        return traced(caller, event, () -> super.link(caller, node, newParent, newName));
    }

    @Override
    public Opened open(Caller caller, long node, int flags) throws FuseException, IOException {
        TraceEventBuilder event = on(Call.SYS_OPENAT, node).stream(node).hint(flags(flags));
        return traced(caller, event, () -> {
            Opened opened = super.open(caller, node, flags);
            opens.merge(node, 1, Integer::sum);
            return opened;
        });
    }

    @Override
    public Created create(Caller caller, long parent, String name, int mode, int flags)
            throws FuseException, IOException {
        TraceEventBuilder event = in(Call.SYS_OPENAT, parent, name).hint(flags(flags | CREATE));
        return traced(caller, event, () -> {
            Created created = super.create(caller, parent, name, mode, flags);
            event.stream(created.entry().node());
            opens.merge(created.entry().node(), 1, Integer::sum);
            return created;
        });
    }

    @Override
    public void read(Caller caller, long node, long handle, long offset, ByteBuffer into)
            throws FuseException, IOException {
        int start = into.position();
        TraceEventBuilder event = on(Call.SYS_PREAD64, node).stream(node).range(offset, into.remaining());
        traced(caller, event, (Step) () -> {
            super.read(caller, node, handle, offset, into);
            event.result(into.position() - (long) start);
        });
    }

    @Override
    public void write(Caller caller, long node, long handle, long offset, ByteBuffer from)
            throws FuseException, IOException {
        int bytes = from.remaining();
        TraceEventBuilder event =
                on(Call.SYS_PWRITE64, node).stream(node).range(offset, bytes).result(bytes);
        traced(caller, event, (Step) () -> super.write(caller, node, handle, offset, from));
    }

    @Override
    public void release(Caller caller, long node, long handle, int flags) throws FuseException, IOException {
        Integer left = opens.computeIfPresent(node, (unused, count) -> count == 1 ? null : count - 1);
        TraceEventBuilder event = on(Call.SYS_CLOSE, node).stream(node);
        if (left != null) {
            event.hint("shared=true");
        }
        traced(caller, event, (Step) () -> super.release(caller, node, handle, flags));
    }

    @Override
    public void sync(Caller caller, long node, long handle, boolean dataOnly) throws FuseException, IOException {
        TraceEventBuilder event = on(dataOnly ? Call.SYS_FDATASYNC : Call.SYS_FSYNC, node).stream(node);
        traced(caller, event, (Step) () -> super.sync(caller, node, handle, dataOnly));
    }

    @Override
    public void list(Caller caller, long node, long handle, long offset, DirectoryEntries entries)
            throws FuseException, IOException {
        traced(caller, on(Call.SYS_GETDENTS64, node), (Step) () -> super.list(caller, node, handle, offset, entries));
    }

    @Override
    public long copyRange(Caller caller, CopiedRange range) throws FuseException, IOException {
        TraceEventBuilder source = on(Call.SYS_COPY_FILE_RANGE, range.from()).stream(range.from())
                .range(range.fromOffset(), range.length());
        TraceEventBuilder destination =
                on(Call.SYS_COPY_FILE_RANGE_TO, range.to()).stream(range.to()).range(range.toOffset(), range.length());
        return traced(caller, List.of(source, destination), () -> {
            long copied = super.copyRange(caller, range);
            source.result(copied);
            destination.result(copied);
            return copied;
        });
    }

    @Override
    public void syncAll(Caller caller) throws FuseException, IOException {
        traced(caller, on(Call.SYS_SYNCFS, ROOT), (Step) () -> super.syncAll(caller));
    }
}
