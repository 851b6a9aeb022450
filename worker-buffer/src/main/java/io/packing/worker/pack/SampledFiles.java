package io.packing.worker.pack;

import io.packing.spans.Span;
import io.packing.spans.SpanContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The last buffered files that somebody follows, by their ids: the blob that a file becomes a part of names its span. Thread-safe. */
public final class SampledFiles {
    private static final int MOST = 1_024;

    private final Map<Long, SpanContext> files = new LinkedHashMap<>();

    /** A file is in the buffer. */
    public void add(long id, SpanContext span) {
        // Of most files nobody waits for the monitor.
        if (span.sampled()) {
            addSampled(id, span);
        }
    }

    private synchronized void addSampled(long id, SpanContext span) {
        files.put(id, span);
        if (files.size() > MOST) {
            files.remove(files.keySet().iterator().next());
        }
    }

    /** Links a span with those of files that became a blob. */
    synchronized void link(Span span, Set<Long> ids) {
        files.entrySet().removeIf(file -> {
            boolean packed = ids.contains(file.getKey());
            if (packed) {
                span.link(file.getValue());
            }
            return packed;
        });
    }

    /** Whether nobody follows any. */
    synchronized boolean isEmpty() {
        return files.isEmpty();
    }
}
