// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import java.io.IOException;
import java.util.Locale;

/** A store whose operations are parts of the current span. */
public final class SpannedObjectStore extends DecoratedObjectStore {
    private SpannedObjectStore(ObjectStore store) {
        super(store);
    }

    /** Returns the store with spans, or unchanged without them. */
    public static ObjectStore of(ObjectStore store, Spans spans) {
        return spans.isOn() ? new SpannedObjectStore(store) : store;
    }

    @Override
    <T> T around(RequestKind kind, Call<T> call, Moved<T> moved) throws IOException {
        String name = "store " + kind.name().toLowerCase(Locale.ROOT);
        try (Span span = CurrentSpan.get().child(name, Span.Kind.CLIENT)) {
            try {
                T result = call.run();
                span.with("packing.bytes", moved.bytes(result));
                return result;
            } catch (IOException | RuntimeException e) {
                span.failed(e.toString());
                throw e;
            }
        }
    }
}
