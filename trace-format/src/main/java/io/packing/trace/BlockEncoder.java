package io.packing.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Collects events into one block; trace-format.md, sections 3 to 6. Confined to one thread. */
final class BlockEncoder implements AutoCloseable {
    /** Events after which a block is large enough to compress well. */
    static final int FULL_EVENTS = 16_384;

    private static final int FULL_TEXT_BYTES = 4 << 20;
    /** Clocks of one process that drift apart by more than this since the block began make a new block. */
    private static final long MAX_DRIFT_NANOS = 1_000_000;

    /** For the ends of Deflate blocks: there are fewer than twenty. */
    private static final int SLACK = 1_024;

    private record Anchor(int index, long wallNanos, long monoNanos) {}

    private final int tickNanos;
    /** By {@link Column#place}. */
    private final ColumnOutput[] columns = new ColumnOutput[Column.HOW_MANY];

    private final Map<String, Integer> textNumbers = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private final Map<TraceOrigin, Anchor> anchors = new HashMap<>();
    private final List<TraceOrigin> origins = new ArrayList<>();
    private final StreamState.Table states = new StreamState.Table();
    private final ColumnOutput payload = new ColumnOutput();
    private final int[] ends = new int[Column.HOW_MANY];
    private final Deflater deflater;
    private int deflated = Deflater.DEFAULT_STRATEGY;
    /** Of the event before: most traces are of one process. */
    private @Nullable TraceOrigin lastOrigin;

    private Anchor lastAnchor = new Anchor(0, 0, 0);
    private int events;
    private long textBytes;
    private long baseNanos;
    private long ticks;
    private long stream;
    private String user = "";
    private String context = "";

    BlockEncoder(int tickNanos, int compression) {
        this.tickNanos = tickNanos;
        this.deflater = new Deflater(compression, true);
        Arrays.setAll(columns, i -> new ColumnOutput());
        begin();
    }

    private void begin() {
        for (ColumnOutput column : columns) {
            column.clear();
        }
        textNumbers.clear();
        texts.clear();
        anchors.clear();
        lastOrigin = null;
        origins.clear();
        states.clear();
        payload.clear();
        events = 0;
        textBytes = 0;
        ticks = 0;
        stream = 0;
        user = "";
        context = "";
        number("");
    }

    int events() {
        return events;
    }

    /** Whether the event should go into the next block. */
    boolean isFullFor(TraceEvent event) {
        // Columns need no limit of their own: an event takes less than 200 bytes of them.
        if (events >= FULL_EVENTS || textBytes > FULL_TEXT_BYTES) {
            return true;
        }
        Anchor anchor = event.origin().equals(lastOrigin) ? lastAnchor : anchors.get(event.origin());
        return anchor != null
                && Math.abs((event.wallNanos() - anchor.wallNanos()) - (event.monoNanos() - anchor.monoNanos()))
                        > MAX_DRIFT_NANOS;
    }

    /** Refuses an event that no block can hold, before anything of it is in one. */
    static void requireWritable(TraceEvent event) {
        requireWritable(event.path());
        requireWritable(event.target());
        requireWritable(event.thread());
        requireWritable(event.user());
        requireWritable(event.context());
        requireWritable(event.error());
        requireWritable(event.hints());
    }

    private static void requireWritable(String text) {
        // A UTF-16 unit takes three bytes of UTF-8 at most: nearly every text needs no second look.
        if (text.length() > TraceLayout.MAX_TEXT / 3) {
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > TraceLayout.MAX_TEXT) {
                throw new IllegalArgumentException("a text of %d bytes is longer than %d: '%.80s...'"
                        .formatted(bytes, TraceLayout.MAX_TEXT, text));
            }
        }
    }

    void add(TraceEvent event) {
        if (events == 0) {
            baseNanos = event.wallNanos();
        }
        Anchor anchor = anchor(event);
        StreamState state = states.of(anchor.index(), event.stream());
        out(Column.CALL).byte1(event.call().id());
        out(Column.ORIGIN).varint(anchor.index());
        time(event, anchor);
        out(Column.STREAM).zigzag(event.stream() - stream);
        stream = event.stream();
        out(Column.PATH).varint(event.path().equals(state.path) ? 0 : number(event.path()) + 1L);
        out(Column.THREAD).varint(event.thread().equals(state.thread) ? 0 : number(event.thread()) + 1L);
        out(Column.USER).varint(event.user().equals(user) ? 0 : number(event.user()) + 1L);
        out(Column.CONTEXT).varint(event.context().equals(context) ? 0 : number(event.context()) + 1L);
        user = event.user();
        context = event.context();
        out(Column.FILE_SYSTEM).zigzag(event.fileSystem() - state.fileSystem);
        range(event, state);
        out(Column.TARGET).varint(number(event.target()));
        out(Column.ERROR).varint(number(event.error()));
        out(Column.HINTS).varint(number(event.hints()));
        state.follow(event.path(), event.thread(), event.fileSystem(), event.offset(), event.length(), event.result());
        events++;
    }

    private Anchor anchor(TraceEvent event) {
        if (!event.origin().equals(lastOrigin)) {
            lastAnchor = anchors.computeIfAbsent(event.origin(), origin -> {
                origins.add(origin);
                number(origin.host());
                number(origin.process());
                return new Anchor(origins.size() - 1, event.wallNanos(), event.monoNanos());
            });
            lastOrigin = event.origin();
        }
        return lastAnchor;
    }

    private void time(TraceEvent event, Anchor anchor) {
        // The monotonic clock says when; the wall clock's own reading may be a step off by now.
        long wall = anchor.wallNanos() + (event.monoNanos() - anchor.monoNanos());
        long now = Math.floorDiv(wall - baseNanos, tickNanos);
        out(Column.TIME).zigzag(now - ticks);
        ticks = now;
        out(Column.DURATION).varint(event.durationNanos() / tickNanos);
        out(Column.COUNT).varint(event.count() - 1L);
        if (event.count() > 1) {
            out(Column.SPAN).varint((event.lastNanos() - event.monoNanos()) / tickNanos);
        }
    }

    private void range(TraceEvent event, StreamState state) {
        long offset = event.offset();
        out(Column.OFFSET).varint(offset == TraceEvent.NONE ? 0 : ColumnOutput.zigzagOf(offset - state.end) + 1);
        long length = event.length();
        out(Column.LENGTH).varint(length == TraceEvent.NONE ? 0 : length == state.length ? 1 : length + 2);
        long result = event.result();
        out(Column.RESULT).varint(result == TraceEvent.NONE ? 0 : result == length ? 1 : result + 2);
    }

    private ColumnOutput out(Column column) {
        return columns[column.place];
    }

    private int number(String text) {
        if (text.isEmpty() && !texts.isEmpty()) {
            return 0;
        }
        Integer known = textNumbers.get(text);
        if (known != null) {
            return known;
        }
        textBytes += text.length();
        textNumbers.put(text, texts.size());
        texts.add(text);
        return texts.size() - 1;
    }

    /** The finished block; this encoder begins the next one. */
    ByteBuffer finish(long dropped) {
        payload.fixed8(baseNanos);
        payload.varint(texts.size());
        texts.forEach(payload::text);
        payload.varint(origins.size());
        for (TraceOrigin origin : origins) {
            Anchor anchor = java.util.Objects.requireNonNull(anchors.get(origin));
            payload.varint(number(origin.host()));
            payload.varint(origin.pid());
            payload.varint(number(origin.process()));
            payload.fixed8(anchor.wallNanos());
            payload.fixed8(anchor.monoNanos());
        }
        int head = payload.size();
        for (Column column : Column.values()) {
            payload.column(out(column));
            ends[column.place] = payload.size();
        }
        ByteBuffer block = seal(head, dropped);
        begin();
        return block;
    }

    private ByteBuffer seal(int head, long dropped) {
        int inflated = payload.size();
        byte[] bytes = new byte[TraceLayout.BLOCK_HEADER_SIZE + inflated + (inflated >> 8) + SLACK];
        ByteBuffer block = TraceLayout.fields(bytes);
        deflater.reset();
        int at = deflate(0, head, Deflater.DEFAULT_STRATEGY, bytes, TraceLayout.BLOCK_HEADER_SIZE);
        int from = head;
        for (Column column : Column.values()) {
            int end = ends[column.place];
            at = deflate(from, end, strategy(column), bytes, at);
            from = end;
        }
        deflater.finish();
        at += deflater.deflate(bytes, at, bytes.length - at);
        if (!deflater.finished()) {
            throw new IllegalStateException("%d bytes do not fit deflated".formatted(inflated));
        }
        int stored = at - TraceLayout.BLOCK_HEADER_SIZE;
        block.putInt(0, TraceLayout.BLOCK_MAGIC)
                .putInt(TraceLayout.STORED_AT, stored)
                .putInt(TraceLayout.INFLATED_AT, inflated)
                .putInt(TraceLayout.EVENTS_AT, events)
                .putLong(TraceLayout.DROPPED_AT, dropped)
                .putInt(TraceLayout.PAYLOAD_CRC_AT, TraceLayout.crc(bytes, TraceLayout.BLOCK_HEADER_SIZE, stored));
        block.putInt(TraceLayout.BLOCK_CRC_AT, TraceLayout.crc(bytes, 0, TraceLayout.BLOCK_CRC_AT));
        return block.limit(TraceLayout.BLOCK_HEADER_SIZE + stored);
    }

    /**
     * Durations and lengths hardly repeat in sequence: Huffman codes alone serve them as well as a search does, in a tenth
     * of the time. Times repeat when something is periodic, and then for long.
     */
    private static int strategy(Column column) {
        return switch (column) {
            case DURATION, LENGTH -> Deflater.HUFFMAN_ONLY;
            case TIME, SPAN -> Deflater.FILTERED;
            default -> Deflater.DEFAULT_STRATEGY;
        };
    }

    private int deflate(int from, int to, int strategy, byte[] bytes, int at) {
        int end = at;
        if (strategy != deflated) {
            // What is pending keeps its strategy, in a Deflate block of its own: nothing of the new part may be there
            // yet.
            deflater.setStrategy(strategy);
            deflated = strategy;
            deflater.setInput(payload.bytes(), from, 0);
            end += deflater.deflate(bytes, end, bytes.length - end);
        }
        deflater.setInput(payload.bytes(), from, to - from);
        return end + deflater.deflate(bytes, end, bytes.length - end);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
