// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.Spans;
import io.packing.store.RequestMeter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The seals and pushes of a mount that are under way. Thread-safe. */
public final class ActiveWork {
    private final LongSupplier nanos;
    private final RequestMeter requests;
    private final Spans spans;
    private final SampledFiles sampled = new SampledFiles();
    private final Set<Begun> all = ConcurrentHashMap.newKeySet();

    /** @param requests to the mount's store */
    public ActiveWork(LongSupplier nanos, RequestMeter requests, Spans spans) {
        this.nanos = nanos;
        this.requests = requests;
        this.spans = spans;
    }

    /** Returns the files with a sampled trace. */
    public SampledFiles sampled() {
        return sampled;
    }

    /** Begins the span of all work for a blob, a trace of its own. */
    Span packing() {
        return spans.root("pack");
    }

    /**
     * Work that is under way.
     *
     * @param refused requests of any work that the store refused since it began
     * @param failed requests of any work that failed otherwise since then
     */
    public record Work(String what, Duration time, long refused, long failed) {}

    /** A piece of work until it is closed. */
    final class Begun implements AutoCloseable {
        private final String what;
        private final long since = nanos.getAsLong();
        private final RequestMeter.Snapshot before = requests.snapshot();
        private final Span span;
        private final CurrentSpan.Bound bound;

        private Begun(String name, String what) {
            this.what = what;
            this.span = CurrentSpan.get().child(name);
            this.bound = CurrentSpan.bind(span);
        }

        /** Returns its span. */
        Span span() {
            return span;
        }

        private Work now() {
            RequestMeter.Snapshot asked = requests.snapshot().since(before);
            return new Work(what, Duration.ofNanos(nanos.getAsLong() - since), asked.throttled(), asked.failed());
        }

        @Override
        public void close() {
            all.remove(this);
            bound.close();
            span.close();
        }
    }

    /**
     * Begins work; the same thread closes it.
     *
     * @param name of its span
     * @param what the work, for operators
     */
    Begun begin(String name, String what) {
        Begun begun = new Begun(name, what);
        all.add(begun);
        return begun;
    }

    /** Returns all work under way, the longest first. */
    public List<Work> now() {
        return all.stream()
                .map(Begun::now)
                .sorted(Comparator.comparing(Work::time).reversed())
                .toList();
    }
}
