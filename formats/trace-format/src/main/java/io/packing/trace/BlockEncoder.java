// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An encoder that collects events into one block; trace-format.md, sections 3 to 6. Confined to one thread.
 *
 * <p>A traced process pays for it with every call, so it makes no object of an event.
 */
final class BlockEncoder implements AutoCloseable {
    /** The number of events at which a block is large enough to compress well. */
    static final int FULL_EVENTS = 16_384;

    private static final int FULL_TEXT_CHARS = 4 << 20;
    /** The most drift between the two clocks of a process within a block; more begins a new block. */
    private static final long MAX_DRIFT_NANOS = 1_000_000;

    private record Anchor(int index, long wallNanos, long monoNanos) {}

    private final Ticks tick;
    private final int version;
    private final BlockColumns columns;
    private final TextTable texts = new TextTable();
    private final Map<TraceOrigin, Anchor> anchors = new HashMap<>();
    private final List<TraceOrigin> origins = new ArrayList<>();
    private final StreamState.Table states = new StreamState.Table();
    private final ColumnOutput payload = new ColumnOutput();
    private final BlockDeflater deflater;
    private byte[] sealed = new byte[0];
    /** The origin of the previous event: most traces are of one process. */
    private @Nullable TraceOrigin lastOrigin;

    private Anchor lastAnchor = new Anchor(0, 0, 0);
    private int events;
    private long baseNanos;
    private long ticks;
    private long stream;
    private String user = "";
    private String context = "";

    BlockEncoder(int version, int tickNanos, int compression) {
        this.version = version;
        this.columns = new BlockColumns(version);
        this.tick = new Ticks(tickNanos);
        this.deflater = new BlockDeflater(compression);
    }

    private void clear() {
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

    /** Returns whether the event should go into the next block. */
    boolean isFullFor(EventFields event) {
        // Columns need no limit of their own: an event takes less than 200 bytes of them.
        if (events >= FULL_EVENTS || texts.chars() > FULL_TEXT_CHARS) {
            return true;
        }
        Anchor anchor = anchorOf(event.origin());
        return anchor != null
                && Math.abs((event.wallNanos() - anchor.wallNanos()) - (event.monoNanos() - anchor.monoNanos()))
                        > MAX_DRIFT_NANOS;
    }

    /**
     * Adds an event.
     *
     * @throws IllegalArgumentException when no block can hold it; then this block has no part of it
     */
    void add(EventFields event) {
        event.requireValid();
        if (version == TraceLayout.VERSION_1) {
            requireVersion1(event);
        }
        Anchor known = anchorOf(event.origin());
        int origin = known == null ? origins.size() : known.index();
        long eventStream = event.stream();
        StreamState state = states.of(origin, eventStream);
        // The texts come first, since one may be longer than the format allows.
        if (known == null) {
            texts.number(event.origin().host());
            texts.number(event.origin().process());
        }
        texts(event, state);
        Anchor anchor = known == null ? begin(event) : known;
        lastAnchor = anchor;
        lastOrigin = event.origin();
        columns.call(event.call().id());
        columns.put(Column.ORIGIN, origin);
        time(event, anchor);
        columns.putSigned(Column.STREAM, eventStream - stream);
        stream = eventStream;
        int fileSystem = event.fileSystem();
        columns.putSigned(Column.FILE_SYSTEM, fileSystem - state.fileSystem);
        state.fileSystem = fileSystem;
        if (version != TraceLayout.VERSION_1) {
            descriptorAndSize(event, state);
        }
        range(event, state);
        columns.write(events);
        events++;
    }

    private @Nullable Anchor anchorOf(TraceOrigin origin) {
        return isLast(origin) ? lastAnchor : anchors.get(origin);
    }

    @SuppressWarnings("ReferenceEquality") // Before equals(): a process has one.
    private boolean isLast(TraceOrigin origin) {
        return origin == lastOrigin || origin.equals(lastOrigin);
    }

    /** Begins an origin, and with the first one the block. */
    private Anchor begin(EventFields event) {
        if (events == 0) {
            baseNanos = event.wallNanos();
        }
        Anchor anchor = new Anchor(origins.size(), event.wallNanos(), event.monoNanos());
        anchors.put(event.origin(), anchor);
        origins.add(event.origin());
        return anchor;
    }

    private void texts(EventFields event, StreamState state) {
        String path = event.path();
        String thread = event.thread();
        String nextUser = event.user();
        String nextContext = event.context();
        long pathCode = code(path, state.path);
        long threadCode = code(thread, state.thread);
        long userCode = code(nextUser, user);
        long contextCode = code(nextContext, context);
        int target = texts.number(event.target());
        int error = texts.number(event.error());
        int hints = texts.number(event.hints());
        columns.put(Column.PATH, pathCode);
        columns.put(Column.THREAD, threadCode);
        columns.put(Column.USER, userCode);
        columns.put(Column.CONTEXT, contextCode);
        columns.put(Column.TARGET, target);
        columns.put(Column.ERROR, error);
        columns.put(Column.HINTS, hints);
        state.path = path;
        state.thread = thread;
        user = nextUser;
        context = nextContext;
    }

    @SuppressWarnings("ReferenceEquality") // Before equals(): mostly it is the very same.
    private long code(String text, String expected) {
        return text == expected || text.equals(expected) ? 0 : texts.number(text) + 1L;
    }

    private void time(EventFields event, Anchor anchor) {
        // The time comes from the monotonic clock, since the wall clock may have made a step by now.
        long mono = event.monoNanos();
        long now = tick.of(anchor.wallNanos() - baseNanos + (mono - anchor.monoNanos()));
        columns.putSigned(Column.TIME, now - ticks);
        ticks = now;
        columns.put(Column.DURATION, tick.of(event.durationNanos()));
        int count = event.count();
        if (count > 1) {
            columns.put(Column.COUNT, count - 1L);
            columns.span(tick.of(event.lastNanos() - mono));
        }
    }

    private void range(EventFields event, StreamState state) {
        long offset = event.offset();
        columns.put(Column.OFFSET, offset == TraceEvent.NONE ? 0 : ColumnOutput.zigzagOf(offset - state.end) + 1);
        long length = event.length();
        columns.put(Column.LENGTH, length == TraceEvent.NONE ? 0 : length == state.length ? 1 : length + 2);
        long result = event.result();
        columns.put(Column.RESULT, result == TraceEvent.NONE ? 0 : result == length ? 1 : result + 2);
        state.follow(offset, length, result);
    }

    private static void requireVersion1(EventFields event) {
        if (event.call().id() >= Call.FIRST_OF_VERSION_2
                || event.descriptor() != TraceEvent.NONE
                || event.fileSize() != TraceEvent.NONE) {
            throw new IllegalArgumentException("a trace of version 1 holds no system calls, such as %s: write version 2"
                    .formatted(event.call().label()));
        }
    }

    private void descriptorAndSize(EventFields event, StreamState state) {
        columns.putSigned(Column.DESCRIPTOR, event.descriptor() - state.descriptor);
        long size = event.fileSize();
        if (size != TraceEvent.NONE) {
            long expected = state.sizeAfter(event.offset(), event.length(), event.result());
            columns.put(Column.SIZE, size == expected ? 1 : size + 2);
        }
        state.follow(event.descriptor(), size);
    }

    /** Returns the finished block, valid until the next is finished; this encoder begins the next one. */
    ByteBuffer finish(long dropped) {
        payload.fixed8(baseNanos);
        texts.writeTo(payload);
        payload.varint(origins.size());
        for (TraceOrigin origin : origins) {
            Anchor anchor = Objects.requireNonNull(anchors.get(origin));
            payload.varint(texts.number(origin.host()));
            payload.varint(origin.pid());
            payload.varint(texts.number(origin.process()));
            payload.fixed8(anchor.wallNanos());
            payload.fixed8(anchor.monoNanos());
        }
        int head = payload.size();
        columns.writeTo(payload, events);
        ByteBuffer block = seal(head, dropped);
        clear();
        return block;
    }

    private ByteBuffer seal(int head, long dropped) {
        int inflated = payload.size();
        int room = TraceLayout.BLOCK_HEADER_SIZE + BlockDeflater.room(inflated);
        if (sealed.length < room) {
            sealed = new byte[room];
        }
        int end = deflater.deflate(payload.bytes(), head, columns, sealed, TraceLayout.BLOCK_HEADER_SIZE);
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
