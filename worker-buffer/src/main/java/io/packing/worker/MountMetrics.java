package io.packing.worker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FileVersion;
import io.packing.store.RequestKind;
import io.packing.store.RequestListener;
import io.packing.store.RequestMeter;
import io.packing.store.RequestOutcome;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.pack.Commits;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.PageCache;
import io.packing.worker.read.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What a mount of a worker measures; docs/metrics.md lists the names. Thread-safe. */
final class MountMetrics implements RequestListener, BlobPages.Listener, AutoCloseable {
    private static final String MOUNT = "mount";

    private final MeterRegistry registry;
    private final String mount;
    private final Counter damaged;
    private final Counter sharedFiles;
    private final Counter sharedBytes;
    private final Counter diskFound;
    private final Counter diskMissed;
    private final Counter diskDamaged;
    private final Counter diskDropped;
    private final RequestMeter requests = new RequestMeter();
    private final List<Meter> gauges = new ArrayList<>();

    /** @param mount the location of its store */
    MountMetrics(MeterRegistry registry, String mount) {
        this.registry = registry;
        this.mount = mount;
        this.damaged = registry.counter("packing.read.damaged", MOUNT, mount);
        this.sharedFiles = registry.counter("packing.dedup.files", MOUNT, mount);
        this.sharedBytes = registry.counter("packing.dedup.bytes", MOUNT, mount);
        this.diskFound = registry.counter("packing.read.disk.pages", MOUNT, mount, "found", "true");
        this.diskMissed = registry.counter("packing.read.disk.pages", MOUNT, mount, "found", "false");
        this.diskDamaged = registry.counter("packing.read.disk.damaged", MOUNT, mount);
        this.diskDropped = registry.counter("packing.read.disk.dropped", MOUNT, mount);
    }

    /** Watches a buffer, and whether it may be written, until {@link #close}. */
    void watch(FileBuffer buffer, Commits commits) {
        gauge("packing.buffer.bytes", "Bytes that are buffered.", buffer, FileBuffer::bufferedBytes);
        gauge("packing.buffer.files", "Files that are buffered.", buffer, FileBuffer::bufferedFiles);
        gauge(
                "packing.buffer.oldest.seconds",
                "How long the oldest file waits for the store.",
                buffer,
                each -> each.oldest().toMillis() / 1e3);
        gauge("packing.buffer.waiting", "Creators that wait for room.", buffer, FileBuffer::waitingCreators);
        gauge(
                "packing.fenced",
                "1 while another process has taken the worker's id over.",
                commits,
                each -> each.isFenced() ? 1 : 0);
    }

    /** Watches what is cached, until {@link #close}. */
    void watch(PageCache cache) {
        gauge("packing.read.disk.bytes", "Bytes of the read cache on the disk.", cache, PageCache::diskBytes);
    }

    private <T> void gauge(String name, String text, T watched, ToDoubleFunction<T> value) {
        gauges.add(Gauge.builder(name, watched, value)
                .description(text)
                .tag(MOUNT, mount)
                .strongReference(true)
                .register(registry));
    }

    @Override
    public void request(RequestKind kind, long bytes, RequestOutcome outcome) {
        requests.request(kind, bytes, outcome);
        String kindName = kind.name().toLowerCase(Locale.ROOT);
        String outcomeName = outcome.name().toLowerCase(Locale.ROOT);
        registry.counter("packing.store.requests", MOUNT, mount, "kind", kindName, "outcome", outcomeName)
                .increment();
        registry.counter("packing.store.bytes", MOUNT, mount, "kind", kindName).increment((double) bytes);
    }

    /** All requests to the store so far. */
    RequestMeter requests() {
        return requests;
    }

    /** Counts a file that shares the bytes of another, which were not buffered. */
    void deduplicated(long bytes) {
        sharedFiles.increment();
        sharedBytes.increment((double) bytes);
    }

    /** The same peers, counted. */
    Peers counting(Peers peers) {
        return new Peers() {
            @Override
            public Optional<ByteBuffer> read(
                    String address, String mountName, FileVersion version, long offset, int length) throws IOException {
                registry.counter("packing.peer.reads", MOUNT, mount).increment();
                try {
                    return peers.read(address, mountName, version, offset, length);
                } catch (CorruptBlobException e) {
                    damaged();
                    throw e;
                }
            }

            @Override
            public void flush(String address, String mountName) throws IOException {
                peers.flush(address, mountName);
            }
        };
    }

    /** Counts a page of a blob that was found in the cache, or was not. */
    @Override
    public void page(boolean cached) {
        registry.counter("packing.read.pages", MOUNT, mount, "cached", Boolean.toString(cached))
                .increment();
    }

    @Override
    public void damaged() {
        damaged.increment();
    }

    @Override
    public void diskPage(boolean found) {
        (found ? diskFound : diskMissed).increment();
    }

    @Override
    public void diskDamaged() {
        diskDamaged.increment();
    }

    @Override
    public void diskDropped() {
        diskDropped.increment();
    }

    @Override
    public void close() {
        gauges.forEach(registry::remove);
    }
}
