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
public record SpanSettings(Optional<URI> collector, double share, boolean paths) {
    /** The settings without spans. */
    public static final SpanSettings OFF = new SpanSettings(Optional.empty(), 0, false);

    public SpanSettings {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share);
        }
    }
}
