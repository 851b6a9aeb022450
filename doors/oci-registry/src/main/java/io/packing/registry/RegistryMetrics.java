// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.packing.registry.cache.CacheListener;
import io.packing.registry.cache.LayerCache;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.http.HttpRequestListener;
import io.packing.registry.store.BlobSource;
import io.packing.registry.translate.ImageTranslator;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/** Measures of a registry; docs/metrics.md lists the names. */
final class RegistryMetrics implements HttpRequestListener, CacheListener {
    private static final int OK = 200;

    private final MeterRegistry meters;

    RegistryMetrics(MeterRegistry meters) {
        this.meters = meters;
        for (BlobSource source : BlobSource.values()) {
            Timer unused = pulls(source);
        }
        Counter unused = omitted();
    }

    private Timer pulls(BlobSource source) {
        return meters.timer("packing.registry.pull", "source", source.text());
    }

    @Override
    public Running began() {
        Timer.Sample started = Timer.start(meters);
        return answer -> {
            String status = answer.status() == 0 ? "cut" : Integer.toString(answer.status());
            meters.counter(
                            "packing.registry.requests",
                            "endpoint",
                            answer.endpoint(),
                            "method",
                            answer.method(),
                            "status",
                            status)
                    .increment();
            count("received", answer.received());
            count("sent", answer.sent());
            if (answer.pulled().isPresent() && answer.status() == OK) {
                long unusedPull = started.stop(pulls(answer.pulled().get()));
            }
            // Last: a reader that sees this count sees the others, too.
            long unused = started.stop(
                    meters.timer("packing.registry.request", "endpoint", answer.endpoint(), "method", answer.method()));
        };
    }

    private void count(String direction, long bytes) {
        meters.counter("packing.registry.bytes", "direction", direction).increment((double) bytes);
    }

    @Override
    public void omitted(long bytes) {
        omitted().increment((double) bytes);
    }

    private Counter omitted() {
        return meters.counter("packing.registry.lean.omitted.bytes");
    }

    @Override
    public void wrongBytes() {
        meters.counter("packing.registry.wrong.bytes").increment();
    }

    /** Counts an examined blob. */
    void examined(DedupCase found) {
        meters.counter("packing.registry.dedup.blobs", "case", found.text()).increment();
    }

    /** Counts a blob that could not be examined, and waits for a sweep. */
    void notExamined(String why) {
        meters.counter("packing.registry.dedup.failures", "reason", why).increment();
    }

    /** Counts a manifest that got its tree, or was found to have none. */
    void grown(ImageTrees.Result result) {
        tree(result.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** Counts a tree that could not be made, and waits for a sweep or for a request. */
    void notGrown(String why) {
        tree(why);
    }

    /** Counts a manifest that was examined for another form of its image. */
    void translated(ImageTranslator.Result result) {
        translation(result.name().toLowerCase(Locale.ROOT));
    }

    /** Counts an image that could not be translated, and waits for a sweep. */
    void notTranslated(String why) {
        translation(why);
    }

    private void translation(String outcome) {
        meters.counter("packing.registry.translations", "outcome", outcome).increment();
    }

    private void tree(String outcome) {
        meters.counter("packing.registry.trees", "outcome", outcome).increment();
    }

    @Override
    public void filled(CacheListener.Reason reason) {
        meters.counter("packing.registry.cache.filled", "reason", reason.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    @Override
    public void failed() {
        meters.counter("packing.registry.cache.failures").increment();
    }

    @Override
    public void skipped() {
        meters.counter("packing.registry.cache.skipped").increment();
    }

    /** Watches how many blobs wait to be split, and manifests for their trees and translations. */
    void watchWaiting(IntSupplier waiting) {
        gauge("packing.registry.waiting", waiting::getAsInt);
    }

    /** Adds gauges of a cache of layers. */
    void watchCache(LayerCache cache) {
        gauge("packing.registry.cache.bytes", cache::bytes);
        gauge("packing.registry.cache.layers", cache::size);
    }

    private void gauge(String name, LongSupplier value) {
        Gauge unused = Gauge.builder(name, value, each -> (double) each.getAsLong())
                .strongReference(true)
                .register(meters);
    }
}
