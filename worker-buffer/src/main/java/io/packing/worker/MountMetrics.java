// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.packing.spans.Spans;
import io.packing.store.RequestMeter;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.pack.MasterSession;
import io.packing.worker.read.PageCache;
import io.packing.worker.read.ReadMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The metrics of a worker's mount; docs/metrics.md lists their names. Thread-safe. */
final class MountMetrics implements AutoCloseable {
    private static final String MOUNT = "mount";

    private final MeterRegistry registry;
    private final String mount;
    private final Counter sharedFiles;
    private final Counter sharedBytes;
    private final ReadMetrics reads;
    private final List<Meter> gauges = new ArrayList<>();

    /** @param mount the location of its store */
    MountMetrics(MeterRegistry registry, String mount) {
        this.registry = registry;
        this.mount = mount;
        this.reads = new ReadMetrics(registry, mount);
        this.sharedFiles = registry.counter("packing.dedup.files", MOUNT, mount);
        this.sharedBytes = registry.counter("packing.dedup.bytes", MOUNT, mount);
    }

    /** Returns the metrics of reads, which count the requests to the store too. */
    ReadMetrics reads() {
        return reads;
    }

    /** Watches a buffer, and whether its worker is fenced, until {@link #close}. */
    void watch(FileBuffer buffer, MasterSession masterSession) {
        gauge("packing.buffer.bytes", "Bytes that are buffered.", buffer, FileBuffer::bufferedBytes);
        gauge("packing.buffer.files", "Files that are buffered.", buffer, FileBuffer::bufferedFiles);
        gauge(
                "packing.buffer.deleted.bytes",
                "Bytes of deleted files that stay until the store has the journal of the deletion.",
                buffer,
                FileBuffer::deletedBytes);
        gauge(
                "packing.buffer.oldest.seconds",
                "How long the oldest file waits for the store.",
                buffer,
                each -> each.oldest().toMillis() / 1e3);
        gauge("packing.buffer.waiting", "Creators that wait for room.", buffer, FileBuffer::waitingCreators);
        gauge(
                "packing.fenced",
                "1 while another process has taken the worker's id over.",
                masterSession,
                each -> each.isFenced() ? 1 : 0);
    }

    /** Watches the disk cache of reads until {@link #close}. */
    void watch(PageCache cache) {
        gauge("packing.read.disk.bytes", "Bytes of the read cache on the disk.", cache, PageCache::diskBytes);
    }

    /** Watches the export of spans until {@link #close}. */
    void watch(Spans spans) {
        counter("packing.spans.sent", "Spans that the collector took.", spans, Spans::sent);
        counter("packing.spans.dropped", "Spans that the collector did not get.", spans, Spans::dropped);
    }

    private <T> void counter(String name, String text, T watched, ToDoubleFunction<T> value) {
        gauges.add(FunctionCounter.builder(name, watched, value)
                .description(text)
                .tag(MOUNT, mount)
                .register(registry));
    }

    private <T> void gauge(String name, String text, T watched, ToDoubleFunction<T> value) {
        gauges.add(Gauge.builder(name, watched, value)
                .description(text)
                .tag(MOUNT, mount)
                .strongReference(true)
                .register(registry));
    }

    /** Returns all requests to the store so far. */
    RequestMeter requests() {
        return reads.requests();
    }

    /** Counts a file that shares the bytes of another one instead of being buffered. */
    void deduplicated(long bytes) {
        sharedFiles.increment();
        sharedBytes.increment((double) bytes);
    }

    @Override
    public void close() {
        gauges.forEach(registry::remove);
    }
}
