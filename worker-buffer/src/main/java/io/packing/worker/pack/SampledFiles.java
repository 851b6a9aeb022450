// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.spans.Span;
import io.packing.spans.SpanContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The last buffered files with a sampled trace, by their ids: the span of a file's blob links to the file's span.
 * Thread-safe.
 */
public final class SampledFiles {
    private static final int MOST = 1_024;

    private final Map<Long, SpanContext> files = new LinkedHashMap<>();

    /** Notes a buffered file, if its span is sampled. */
    public void add(long id, SpanContext span) {
        // Most files are not sampled, and need no lock.
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

    /** Links the span of a blob with those of its files. */
    synchronized void link(Span span, Set<Long> ids) {
        files.entrySet().removeIf(file -> {
            boolean packed = ids.contains(file.getKey());
            if (packed) {
                span.link(file.getValue());
            }
            return packed;
        });
    }

    /** Returns whether no file is sampled. */
    synchronized boolean isEmpty() {
        return files.isEmpty();
    }
}
