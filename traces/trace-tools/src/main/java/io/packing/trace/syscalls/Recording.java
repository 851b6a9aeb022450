// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.function.Consumer;

/**
 * The state and the output of one recording: files, open files, events, and counts of operations without an event.
 * Confined to one thread.
 */
final class Recording {
    private record Elsewhere(String kind, boolean read) implements Comparable<Elsewhere> {
        @Override
        public int compareTo(Elsewhere other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : Boolean.compare(read, other.read);
        }
    }

    /** A way to the path of a file that a process opened, without symbolic links. */
    interface PathResolver {
        String real(String asked, long process);
    }

    private static final class Moved {
        private int calls;
        private long bytes;
    }

    private final String host;
    private final String task;
    private final FileTree tree;
    private final Consumer<TraceEvent> events;
    private final Map<UnrecordedReason, Long> unseen = new EnumMap<>(UnrecordedReason.class);
    private final Map<Irregularity, Long> irregular = new EnumMap<>(Irregularity.class);
    private final Map<String, Long> unknownCalls = new TreeMap<>();
    private final Map<Elsewhere, Moved> elsewhere = new TreeMap<>();
    private final Map<TracedThread.Program, TraceOrigin> origins = new WeakHashMap<>();
    private final Stacks stacks;
    private List<String> stack = List.of();
    private PathResolver realPaths = (asked, process) -> asked;
    private long processorNanos;
    private long nextStream;
    private long wallNanos;
    private long monoNanos;

    /**
     * @param host machine of the recording
     * @param task name of the recorded program
     * @param firstStream number of the first open file, and of the first stack
     * @param events receives the events
     */
    Recording(String host, String task, long firstStream, FileTree tree, Consumer<TraceEvent> events) {
        this.host = host;
        this.task = task;
        this.nextStream = firstStream;
        this.stacks = new Stacks(firstStream);
        this.tree = tree;
        this.events = events;
    }

    FileTree tree() {
        return tree;
    }

    OpenFile open(TracedFile file, String path, boolean append, long position) {
        return OpenFile.of(nextStream++, file, path, append, position);
    }

    private TraceOrigin origin(TracedThread.Program program) {
        return origins.computeIfAbsent(program, p -> new TraceOrigin(host, p.pid(), p.name()));
    }

    /** Begins the event of a call. */
    TraceEventBuilder event(Call kind, SystemCall call, TracedThread by) {
        wallNanos = call.wallNanos();
        monoNanos = call.monoNanos();
        stack = call.stack();
        TraceEventBuilder event = new TraceEventBuilder(kind)
                .origin(origin(by.program()))
                .at(call.wallNanos(), call.monoNanos())
                .duration(call.durationNanos())
                .caller(Integer.toString(by.thread()), "", task);
        return call.failed() ? event.error(call.result().error()) : event;
    }

    /** Begins the event of a call on an open file. */
    TraceEventBuilder event(Call kind, SystemCall call, TracedThread by, int descriptor, OpenFile open) {
        return event(kind, call, by).stream(open.stream())
                .path(open.path())
                .descriptor(descriptor)
                .fileSize(open.file().size());
    }

    /** Emits the event of a call. The note of a new stack goes first. */
    void give(TraceEventBuilder event) {
        if (stack.isEmpty()) {
            events.accept(event.build());
            return;
        }
        if (stacks.isNew(stack)) {
            tell(note(Call.STACK).result(stacks.number(stack)).hints("frames=" + String.join("|", stack)));
        }
        events.accept(event.hint("stack=" + stacks.number(stack)).build());
    }

    private void tell(TraceEventBuilder note) {
        events.accept(note.build());
    }

    /** Notes the state of a path before the recording, if the trace is about to name the path for the first time. */
    void noteInitial(String path) {
        tree.unnamed(path).ifPresent(entry -> snapshot(path, entry));
    }

    /** Notes the state of a path before the recording. */
    void snapshot(String path, InitialState.Entry entry) {
        tell(note(Call.SNAPSHOT)
                .path(path)
                .target(entry.target())
                .fileSize(entry.size())
                .hints("type=" + entry.kind().name().toLowerCase(Locale.ROOT)));
    }

    private TraceEventBuilder note(Call kind) {
        return new TraceEventBuilder(kind)
                .origin(new TraceOrigin(host, 0, "recorder"))
                .at(wallNanos, monoNanos)
                .caller("", "", task);
    }

    /** Sets the time of the notes before the first call. */
    void startsAt(long wall) {
        wallNanos = wall;
    }

    /** Notes that the last descriptor of an open file is gone, without a call on the file. */
    void closed(OpenFile open, TracedThread by) {
        if (open.isFile()) {
            tell(note(Call.CLOSED).origin(origin(by.program())).stream(open.stream())
                    .path(open.path())
                    .fileSize(open.file().size()));
        }
    }

    void closed(Optional<OpenFile> open, TracedThread by) {
        open.ifPresent(last -> closed(last, by));
    }

    /** Notes that page faults are traced: a mapping without a note of pages brought none in. */
    void tracesFaults() {
        tell(note(Call.PAGED).result(0));
    }

    /** Notes the pages that a fault brought in, each once. */
    void paged(OpenFile open, TracedThread by, long firstPage, long lastPage, long wall, long mono) {
        open.file()
                .paged(
                        firstPage,
                        lastPage,
                        (offset, bytes) -> tell(new TraceEventBuilder(Call.PAGED)
                                        .origin(origin(by.program()))
                                        .at(wall, mono)
                                        .caller(Integer.toString(by.thread()), "", task)
                                        .stream(open.stream())
                                        .path(open.path())
                                        .fileSize(open.file().size())
                                        .range(offset, bytes)
                                        .result(bytes)));
    }

    /** Sets the processor time of the recorded processes. */
    void used(long nanos) {
        processorNanos = nanos;
    }

    /** Sets the way to a path without symbolic links, for backends that report paths as programs gave them. */
    void resolvesBy(PathResolver resolver) {
        realPaths = resolver;
    }

    /** Returns the path of an opened file without symbolic links, as far as the recorder can tell. */
    String real(String asked, long process) {
        return realPaths.real(asked, process);
    }

    void unseen(UnrecordedReason reason, long count) {
        if (count > 0) {
            unseen.merge(reason, count, Long::sum);
        }
    }

    void irregular(Irregularity kind, long count) {
        if (count > 0) {
            irregular.merge(kind, count, Long::sum);
        }
    }

    void unknownCall(String name) {
        unseen(UnrecordedReason.UNKNOWN_CALL, 1);
        unknownCalls.merge(name, 1L, Long::sum);
    }

    /** Counts bytes moved through a descriptor of no file. */
    void elsewhere(String kind, boolean read, long bytes) {
        Moved moved = elsewhere.computeIfAbsent(new Elsewhere(kind, read), key -> new Moved());
        moved.calls++;
        moved.bytes += Math.max(0, bytes);
    }

    Map<UnrecordedReason, Long> unseen() {
        return unseen;
    }

    Map<Irregularity, Long> irregular() {
        return irregular;
    }

    /** Emits the notes that sum the recording up. */
    void finish() {
        if (processorNanos > 0) {
            tell(note(Call.PROCESSOR).result(processorNanos));
        }
        unseen.forEach((reason, count) -> {
            if (reason != UnrecordedReason.UNKNOWN_CALL) {
                tell(note(Call.UNSEEN).result(count).hints("reason=" + reason.label()));
            }
        });
        unknownCalls.forEach((name, count) -> tell(note(Call.UNSEEN)
                .result(count)
                .hints("reason=%s call=%s".formatted(UnrecordedReason.UNKNOWN_CALL.label(), name))));
        irregular.forEach(
                (kind, count) -> tell(note(Call.IRREGULAR).result(count).hints("reason=" + kind.label())));
        elsewhere.forEach((where, moved) -> tell(note(Call.ELSEWHERE)
                .collapsed(moved.calls, monoNanos)
                .result(moved.bytes)
                .hints("direction=%s kind=%s".formatted(where.read() ? "read" : "write", where.kind()))));
    }
}
