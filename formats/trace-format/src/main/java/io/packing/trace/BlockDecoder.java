// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/** A decoder of the events of one inflated block; trace-format.md, sections 4 to 6. Confined to one thread. */
final class BlockDecoder {
    private static final int MAX_COUNT = Integer.MAX_VALUE - 1;

    private record Anchor(TraceOrigin origin, long wallNanos, long monoNanos) {}

    private final int tickNanos;
    private final long baseNanos;
    private final String[] texts;
    private final Anchor[] anchors;
    /** The columns by {@link Column#place}. */
    private final ColumnInput[] columns;

    private final int version;

    private final StreamState.Table states = new StreamState.Table();
    private int left;
    private long ticks;
    private long stream;
    private String user = "";
    private String context = "";

    BlockDecoder(byte[] payload, int length, int events, int version, int tickNanos) throws CorruptTraceException {
        this.version = version;
        this.columns = new ColumnInput[Column.howMany(version)];
        this.tickNanos = tickNanos;
        this.left = events;
        ColumnInput in = new ColumnInput(payload, 0, length);
        this.baseNanos = in.fixed8();
        // A text takes at least a byte, so the payload's length bounds the counts; the memory of a reader bounds them,
        // too.
        this.texts = new String[in.count(Math.min(TraceLayout.MAX_TEXTS, in.remaining()))];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = in.text(TraceLayout.MAX_TEXT);
        }
        this.anchors = new Anchor[in.count(in.remaining() / TraceLayout.LEAST_ORIGIN)];
        for (int i = 0; i < anchors.length; i++) {
            String host = text(in.varint());
            long pid = in.varint();
            String process = text(in.varint());
            if (pid < 0) {
                throw new CorruptTraceException("a negative process id");
            }
            anchors[i] = new Anchor(new TraceOrigin(host, pid, process), in.fixed8(), in.fixed8());
        }
        for (int i = 0; i < columns.length; i++) {
            columns[i] = in.column();
        }
        if (!in.isEmpty()) {
            throw new CorruptTraceException("bytes after the last column");
        }
    }

    boolean hasNext() {
        return left > 0;
    }

    TraceEvent next() throws CorruptTraceException {
        left--;
        Call call = call();
        int originNumber = in(Column.ORIGIN).count(anchors.length - 1);
        Anchor anchor = anchors[originNumber];
        ticks += in(Column.TIME).zigzag();
        long wall = baseNanos + ticks * tickNanos;
        long mono = anchor.monoNanos() + (wall - anchor.wallNanos());
        long duration = in(Column.DURATION).varint() * tickNanos;
        int count = in(Column.COUNT).count(MAX_COUNT) + 1;
        long span = count > 1 ? in(Column.SPAN).varint() * tickNanos : 0;
        stream += in(Column.STREAM).zigzag();
        StreamState state = states.of(originNumber, stream);
        String path = text(in(Column.PATH).varint(), state.path);
        String thread = text(in(Column.THREAD).varint(), state.thread);
        user = text(in(Column.USER).varint(), user);
        context = text(in(Column.CONTEXT).varint(), context);
        int fileSystem = (int) (state.fileSystem + in(Column.FILE_SYSTEM).zigzag());
        long offset = offset(in(Column.OFFSET).varint(), state);
        long length = optional(in(Column.LENGTH).varint(), state.length);
        long result = optional(in(Column.RESULT).varint(), length);
        String target = text(in(Column.TARGET).varint());
        String error = text(in(Column.ERROR).varint());
        String hints = text(in(Column.HINTS).varint());
        long descriptor = TraceEvent.NONE;
        long size = TraceEvent.NONE;
        if (version != TraceLayout.VERSION_1) {
            descriptor = state.descriptor + in(Column.DESCRIPTOR).zigzag();
            size = optional(in(Column.SIZE).varint(), state.sizeAfter(offset, length, result));
            state.follow(descriptor, size);
        }
        try {
            state.follow(path, thread, fileSystem, offset, length, result);
            return new TraceEvent(
                    anchor.origin(),
                    wall,
                    mono,
                    duration,
                    mono + span,
                    call,
                    count,
                    thread,
                    user,
                    context,
                    fileSystem,
                    stream,
                    path,
                    target,
                    offset,
                    length,
                    result,
                    error,
                    hints,
                    descriptor,
                    size);
        } catch (IllegalArgumentException e) {
            throw new CorruptTraceException("an event that cannot be: " + e.getMessage(), e);
        }
    }

    private Call call() throws CorruptTraceException {
        if (version == TraceLayout.VERSION_1) {
            return Call.ofId(in(Column.CALL).byte1());
        }
        // This reader does not know an id that exceeds an int, as any other unknown id.
        long id = in(Column.CALL).varint();
        return id == (int) id ? Call.ofId((int) id) : Call.UNKNOWN;
    }

    private static long offset(long code, StreamState state) {
        return code == 0 ? TraceEvent.NONE : state.end + ColumnInput.unzigzag(code - 1);
    }

    private static long optional(long code, long expected) {
        if (code == 0) {
            return TraceEvent.NONE;
        }
        return code == 1 ? expected : code - 2;
    }

    private String text(long number) throws CorruptTraceException {
        if (number < 0 || number >= texts.length) {
            throw new CorruptTraceException("text %s of %d".formatted(Long.toUnsignedString(number), texts.length));
        }
        return texts[(int) number];
    }

    private String text(long code, String expected) throws CorruptTraceException {
        return code == 0 ? expected : text(code - 1);
    }

    private ColumnInput in(Column column) {
        return columns[column.place];
    }
}
