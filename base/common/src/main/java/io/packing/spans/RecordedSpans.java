// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The spans of a process with a collector, as far as they are sampled. */
final class RecordedSpans implements Spans {
    /** The most served spans in a second: any client may mark its calls as sampled. */
    private static final int MOST_SERVED_PER_SECOND = 100;

    private final SpanSink sink;
    private final double share;
    private final LongSupplier now;
    private final LongSupplier random;
    private long second = Long.MIN_VALUE;
    private int served;

    /**
     * @param share of the sampled calls of this process's user
     * @param now nanoseconds since 1970
     * @param random numbers, practically unique
     */
    RecordedSpans(SpanSink sink, double share, LongSupplier now, LongSupplier random) {
        this.sink = sink;
        this.share = share;
        this.now = now;
        this.random = random;
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Span enter(String name) {
        Span current = CurrentSpan.get();
        if (current.isRecorded()) {
            return current.child(name);
        }
        if (current.context().exists()) {
            return begin(name, Span.Kind.INTERNAL, current.context());
        }
        // This takes 53 random bits, as Random.nextDouble does.
        return (random.getAsLong() >>> 11) * 0x1.0p-53 < share ? root(name) : Span.NONE;
    }

    @Override
    public Span serve(String name, SpanContext caller) {
        return caller.sampled() && mayServe() ? begin(name, Span.Kind.SERVER, caller) : Span.NONE;
    }

    private synchronized boolean mayServe() {
        long current = TimeUnit.NANOSECONDS.toSeconds(now.getAsLong());
        if (current != second) {
            second = current;
            served = 0;
        }
        return served++ < MOST_SERVED_PER_SECOND;
    }

    @Override
    public Span root(String name) {
        return begin(name, Span.Kind.INTERNAL, new SpanContext(id(), id(), 0, true));
    }

    Span begin(String name, Span.Kind kind, SpanContext parent) {
        SpanContext context = new SpanContext(parent.traceHigh(), parent.traceLow(), id(), true);
        return new RecordedSpan(this, context, parent.span(), name, kind, now.getAsLong());
    }

    private long id() {
        long id = random.getAsLong();
        return id == 0 ? 1 : id;
    }

    void end(EndedSpan span) {
        sink.ended(span);
    }

    long now() {
        return now.getAsLong();
    }

    @Override
    public long sent() {
        return sink.sent();
    }

    @Override
    public long dropped() {
        return sink.dropped();
    }

    @Override
    public void close() {
        sink.close();
    }
}
