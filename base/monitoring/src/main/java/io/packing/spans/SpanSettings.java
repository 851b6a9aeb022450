package io.packing.spans;

import java.net.URI;
import java.util.Optional;

/**
 * Where spans go.
 *
 * @param collector that takes OTLP over HTTP; empty: no spans are made
 * @param share of the calls without a context that are sampled, 0 to 1
 * @param paths whether spans say which file they are about
 */
public record SpanSettings(Optional<URI> collector, double share, boolean paths) {
    /** No spans. */
    public static final SpanSettings OFF = new SpanSettings(Optional.empty(), 0, false);

    public SpanSettings {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share of " + share);
        }
    }
}
