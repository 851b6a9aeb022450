// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A span that has ended.
 *
 * @param parent the id of the span that it is a part of; zero: it is the first of its trace
 * @param startNanos since 1970
 * @param endNanos since 1970
 * @param attributes strings, and longs
 * @param links spans of other traces
 * @param failure the reason of its failure; empty without one
 */
record EndedSpan(
        SpanContext context,
        long parent,
        String name,
        Span.Kind kind,
        long startNanos,
        long endNanos,
        Map<String, Object> attributes,
        List<SpanContext> links,
        Optional<String> failure) {
    EndedSpan {
        attributes = Map.copyOf(attributes);
        links = List.copyOf(links);
    }
}
