// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.store.RequestKind;
import io.packing.store.RequestListener;
import io.packing.store.RequestMeter;
import io.packing.store.RequestOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/** The metrics of a mount's reads and of the requests to its store; docs/metrics.md lists the names. Thread-safe. */
public final class ReadMetrics implements RequestListener, PageListener {
    private static final String MOUNT = "mount";

    private final MeterRegistry registry;
    private final String mount;
    private final RequestMeter requests = new RequestMeter();
    private final Counter damaged;
    private final Counter diskFound;
    private final Counter diskMissed;
    private final Counter diskDamaged;
    private final Counter diskDropped;

    /** @param mount the location of its store */
    public ReadMetrics(MeterRegistry registry, String mount) {
        this.registry = registry;
        this.mount = mount;
        this.damaged = registry.counter("packing.read.damaged", MOUNT, mount);
        this.diskFound = registry.counter("packing.read.disk.pages", MOUNT, mount, "found", "true");
        this.diskMissed = registry.counter("packing.read.disk.pages", MOUNT, mount, "found", "false");
        this.diskDamaged = registry.counter("packing.read.disk.damaged", MOUNT, mount);
        this.diskDropped = registry.counter("packing.read.disk.dropped", MOUNT, mount);
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

    /** Returns all requests to the store so far. */
    public RequestMeter requests() {
        return requests;
    }

    /** Returns these peers with counts of their reads. */
    public Peers counting(Peers peers) {
        return new Peers() {
            @Override
            public Optional<ByteBuffer> read(
                    String address, String mountName, FilePath path, FileVersion version, long offset, int length)
                    throws IOException {
                return counted(() -> peers.read(address, mountName, path, version, offset, length));
            }

            @Override
            public Optional<ByteBuffer> readStored(
                    String address, String mountName, FilePath path, FileVersion version, long offset, int length)
                    throws IOException {
                return counted(() -> peers.readStored(address, mountName, path, version, offset, length));
            }

            @Override
            public void flush(String address, String mountName) throws IOException {
                peers.flush(address, mountName);
            }
        };
    }

    /** A read at a worker. */
    private interface PeerRead {
        Optional<ByteBuffer> bytes() throws IOException;
    }

    private Optional<ByteBuffer> counted(PeerRead read) throws IOException {
        registry.counter("packing.peer.reads", MOUNT, mount).increment();
        try {
            return read.bytes();
        } catch (CorruptBlobException e) {
            damaged();
            throw e;
        }
    }

    /** Counts a read of a blob's page, by cached or not. */
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
}
