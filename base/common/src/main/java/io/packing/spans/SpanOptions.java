// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.net.URI;
import java.util.Optional;

/**
 * The settings of spans.
 *
 * @param collector that takes OTLP over HTTP; empty: no spans
 * @param share of the calls without a context that are sampled, 0 to 1
 * @param paths true if spans name their files
 */
public record SpanOptions(Optional<URI> collector, double share, boolean paths) {
    /** The settings without spans. */
    public static final SpanOptions OFF = new SpanOptions(Optional.empty(), 0, false);

    public SpanOptions {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share);
        }
    }
}
