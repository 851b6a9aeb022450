// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The maker of the spans of a mount or a server. */
public final class SpanExports {
    private SpanExports() {}

    /**
     * Opens spans by the settings; the caller closes them.
     *
     * @param service that makes the spans
     * @param warn receives a message when the collector does not take them, once a minute
     */
    public static Spans open(SpanOptions settings, String service, Consumer<String> warn) {
        if (settings.collector().isEmpty()) {
            return Spans.NONE;
        }
        LongSupplier nanos = System::nanoTime;
        Instant wall = Clock.systemUTC().instant();
        // Read the clock once: a span must not end before it began.
        long offset = TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano() - nanos.getAsLong();
        SpanSink sink = OtlpSender.start(settings.collector().get(), service, nanos, warn);
        return new RecordedSpans(
                sink,
                settings.share(),
                () -> offset + nanos.getAsLong(),
                () -> ThreadLocalRandom.current().nextLong());
    }
}
