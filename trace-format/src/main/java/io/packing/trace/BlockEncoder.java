package io.packing.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects events into one block; trace-format.md, sections 3 to 6. Confined to one thread.
 *
 * <p>A traced process pays for this with every call, so it makes no object of an event.
 */
final class BlockEncoder implements AutoCloseable {
    /** Events after which a block is large enough to compress well. */
    static final int FULL_EVENTS = 16_384;

    private static final int FULL_TEXT_CHARS = 4 << 20;
    /** Clocks of one process that drift apart by more than this since the block began make a new block. */
    private static final long MAX_DRIFT_NANOS = 1_000_000;

    private record Anchor(int index, long wallNanos, long monoNanos) {}

    private final Ticks tick;
    private final BlockColumns columns = new BlockColumns();
    private final TextTable texts = new TextTable();
    private final Map<TraceOrigin, Anchor> anchors = new HashMap<>();
    private final List<TraceOrigin> origins = new ArrayList<>();
    private final StreamState.Table states = new StreamState.Table();
    private final ColumnOutput payload = new ColumnOutput();
    private final int[] ends = new int[Column.HOW_MANY];
    private final BlockDeflater deflater;
    private byte[] sealed = new byte[0];
    /** Of the event before: most traces are of one process. */
    private @Nullable TraceOrigin lastOrigin;

    private Anchor lastAnchor = new Anchor(0, 0, 0);
    private int events;
    private long baseNanos;
    private long ticks;
    private long stream;
    private String user = "";
    private String context = "";

    BlockEncoder(int tickNanos, int compression) {
        this.tick = new Ticks(tickNanos);
        this.deflater = new BlockDeflater(compression);
    }

    private void begin() {
        columns.clear();
        texts.clear();
        anchors.clear();
        lastOrigin = null;
        origins.clear();
        states.clear();
        payload.clear();
        events = 0;
        ticks = 0;
        stream = 0;
        user = "";
        context = "";
    }

    int events() {
        return events;
    }

    /** Whether the event should go into the next block. */
    boolean isFullFor(EventFields event) {
        // Columns need no limit of their own: an event takes less than 200 bytes of them.
        if (events >= FULL_EVENTS || texts.chars() > FULL_TEXT_CHARS) {
            return true;
        }
        Anchor anchor = isLast(event.origin()) ? lastAnchor : anchors.get(event.origin());
        return anchor != null
                && Math.abs((event.wallNanos() - anchor.wallNanos()) - (event.monoNanos() - anchor.monoNanos()))
                        > MAX_DRIFT_NANOS;
    }

    /** Refuses an event that no block can hold, before anything of it is in one. */
    static void requireWritable(EventFields event) {
        event.requireValid();
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

    void add(EventFields event) {
        if (events == 0) {
            baseNanos = event.wallNanos();
        }
        Anchor anchor = anchor(event);
        long number = event.stream();
        StreamState state = states.of(anchor.index(), number);
        columns.call.byte1(event.call().id());
        columns.origin.varint(anchor.index());
        time(event, anchor);
        columns.stream.zigzag(number - stream);
        stream = number;
        who(event, state);
        range(event, state);
        columns.target.varint(texts.number(event.target()));
        columns.error.varint(texts.number(event.error()));
        columns.hints.varint(texts.number(event.hints()));
        events++;
    }

    @SuppressWarnings("ReferenceEquality") // Before equals(): a process has one.
    private boolean isLast(TraceOrigin origin) {
        return origin == lastOrigin || origin.equals(lastOrigin);
    }

    private Anchor anchor(EventFields event) {
        TraceOrigin origin = event.origin();
        if (!isLast(origin)) {
            Anchor known = anchors.get(origin);
            if (known == null) {
                known = new Anchor(origins.size(), event.wallNanos(), event.monoNanos());
                anchors.put(origin, known);
                origins.add(origin);
                texts.number(origin.host());
                texts.number(origin.process());
            }
            lastAnchor = known;
            lastOrigin = origin;
        }
        return lastAnchor;
    }

    private void time(EventFields event, Anchor anchor) {
        // The monotonic clock says when; the wall clock's own reading may be a step off by now.
        long mono = event.monoNanos();
        long now = tick.of(anchor.wallNanos() - baseNanos + (mono - anchor.monoNanos()));
        columns.time.zigzag(now - ticks);
        ticks = now;
        columns.duration.varint(tick.of(event.durationNanos()));
        int count = event.count();
        columns.count.varint(count - 1L);
        if (count > 1) {
            columns.span.varint(tick.of(event.lastNanos() - mono));
        }
    }

    private void who(EventFields event, StreamState state) {
        String path = event.path();
        columns.path.varint(isSame(path, state.path) ? 0 : texts.number(path) + 1L);
        state.path = path;
        String thread = event.thread();
        columns.thread.varint(isSame(thread, state.thread) ? 0 : texts.number(thread) + 1L);
        state.thread = thread;
        String nextUser = event.user();
        columns.user.varint(isSame(nextUser, user) ? 0 : texts.number(nextUser) + 1L);
        user = nextUser;
        String nextContext = event.context();
        columns.context.varint(isSame(nextContext, context) ? 0 : texts.number(nextContext) + 1L);
        context = nextContext;
        int fileSystem = event.fileSystem();
        columns.fileSystem.zigzag(fileSystem - state.fileSystem);
        state.fileSystem = fileSystem;
    }

    @SuppressWarnings("ReferenceEquality") // Before equals(): mostly it is the very same.
    private static boolean isSame(String text, String expected) {
        return text == expected || text.equals(expected);
    }

    private void range(EventFields event, StreamState state) {
        long offset = event.offset();
        columns.offset.varint(offset == TraceEvent.NONE ? 0 : ColumnOutput.zigzagOf(offset - state.end) + 1);
        long length = event.length();
        columns.length.varint(length == TraceEvent.NONE ? 0 : length == state.length ? 1 : length + 2);
        long result = event.result();
        columns.result.varint(result == TraceEvent.NONE ? 0 : result == length ? 1 : result + 2);
        state.follow(offset, length, result);
    }

    /** The finished block, valid until the next is finished; this encoder begins the next one. */
    ByteBuffer finish(long dropped) {
        payload.fixed8(baseNanos);
        texts.writeTo(payload);
        payload.varint(origins.size());
        for (TraceOrigin origin : origins) {
            Anchor anchor = java.util.Objects.requireNonNull(anchors.get(origin));
            payload.varint(texts.number(origin.host()));
            payload.varint(origin.pid());
            payload.varint(texts.number(origin.process()));
            payload.fixed8(anchor.wallNanos());
            payload.fixed8(anchor.monoNanos());
        }
        int head = payload.size();
        for (Column column : Column.values()) {
            payload.column(columns.of(column));
            ends[column.place] = payload.size();
        }
        ByteBuffer block = seal(head, dropped);
        begin();
        return block;
    }

    private ByteBuffer seal(int head, long dropped) {
        int inflated = payload.size();
        int room = TraceLayout.BLOCK_HEADER_SIZE + BlockDeflater.room(inflated);
        if (sealed.length < room) {
            sealed = new byte[room];
        }
        int end = deflater.deflate(payload.bytes(), head, ends, sealed, TraceLayout.BLOCK_HEADER_SIZE);
        int stored = end - TraceLayout.BLOCK_HEADER_SIZE;
        ByteBuffer block = TraceLayout.fields(sealed);
        block.putInt(0, TraceLayout.BLOCK_MAGIC)
                .putInt(TraceLayout.STORED_AT, stored)
                .putInt(TraceLayout.INFLATED_AT, inflated)
                .putInt(TraceLayout.EVENTS_AT, events)
                .putLong(TraceLayout.DROPPED_AT, dropped)
                .putInt(TraceLayout.PAYLOAD_CRC_AT, TraceLayout.crc(sealed, TraceLayout.BLOCK_HEADER_SIZE, stored));
        block.putInt(TraceLayout.BLOCK_CRC_AT, TraceLayout.crc(sealed, 0, TraceLayout.BLOCK_CRC_AT));
        return block.limit(end);
    }

    @Override
    public void close() {
        deflater.close();
    }
}
