package io.packing.spans;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes what begins spans, for a mount or a server. */
public final class SpanExports {
    private SpanExports() {}

    /**
     * Spans as the settings want them; closed by the caller.
     *
     * @param service whose spans they are
     * @param warn is told when the collector does not take them, once a minute
     */
    public static Spans open(SpanSettings settings, String service, Consumer<String> warn) {
        if (settings.collector().isEmpty()) {
            return Spans.NONE;
        }
        LongSupplier nanos = System::nanoTime;
        Instant wall = Clock.systemUTC().instant();
        // From one reading of the clock on: a span must not end before it began.
        long offset = TimeUnit.SECONDS.toNanos(wall.getEpochSecond()) + wall.getNano() - nanos.getAsLong();
        SpanSink sink = OtlpSender.start(settings.collector().get(), service, nanos, warn);
        return new RecordedSpans(
                sink,
                settings.share(),
                () -> offset + nanos.getAsLong(),
                () -> ThreadLocalRandom.current().nextLong());
    }
}
