// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import java.io.IOException;

/**
 * A mount's work with its own span: in a caller's trace, or in a new one.
 *
 * @param <T> what comes of it
 */
@FunctionalInterface
public interface SpannedWork<T> {
    /**
     * Does it.
     *
     * @param span current meanwhile, so that operations of the store are parts of it
     */
    T run(Span span) throws IOException;

    /** Does work in a span of this name. */
    static <T> T run(Spans spans, String name, SpannedWork<T> work) throws IOException {
        Span asked = CurrentSpan.get();
        try (Span span = asked.isRecorded() ? asked.child(name) : spans.root(name);
                CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            try {
                return work.run(span);
            } catch (IOException | RuntimeException e) {
                span.failed(e.toString());
                throw e;
            }
        }
    }
}
