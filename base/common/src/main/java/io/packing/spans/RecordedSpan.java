// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A span for the collector. */
final class RecordedSpan implements Span {
    private static final int MOST_LINKS = 32;
    private static final int MOST_CHARACTERS = 1_024;

    private final RecordedSpans spans;
    private final SpanContext context;
    private final long parent;
    private final String name;
    private final Kind kind;
    private final long start;
    private final Map<String, Object> attributes = new LinkedHashMap<>();
    private final List<SpanContext> links = new ArrayList<>();
    private Optional<String> failure = Optional.empty();
    private boolean closed;

    RecordedSpan(RecordedSpans spans, SpanContext context, long parent, String name, Kind kind, long start) {
        this.spans = spans;
        this.context = context;
        this.parent = parent;
        this.name = name;
        this.kind = kind;
        this.start = start;
    }

    @Override
    public SpanContext context() {
        return context;
    }

    @Override
    public boolean isRecorded() {
        return true;
    }

    @Override
    public Span child(String part, Kind side) {
        return spans.begin(part, side, context);
    }

    @Override
    public Span child(String part) {
        return child(part, Kind.INTERNAL);
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS);
    }

    @Override
    public synchronized Span with(String key, String value) {
        attributes.put(key, shortened(value));
        return this;
    }

    @Override
    public synchronized Span with(String key, long value) {
        attributes.put(key, value);
        return this;
    }

    @Override
    public synchronized Span link(SpanContext other) {
        if (links.size() < MOST_LINKS && other.exists()) {
            links.add(other);
        }
        return this;
    }

    @Override
    public synchronized void failed(String why) {
        failure = Optional.of(shortened(why));
    }

    @Override
    public void close() {
        EndedSpan ended;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            ended = new EndedSpan(context, parent, name, kind, start, spans.now(), attributes, links, failure);
        }
        spans.end(ended);
    }
}
