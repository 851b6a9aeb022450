// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.master.cloud.ParallelCalls;
import io.packing.blob.AdoptedObject;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.store.ObjectChangedException;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A check that the store still has the objects of adopted files, in the adopted versions. An object costs one request, for its first byte, until
 * the budget is used. Thread-safe.
 */
final class AdoptedCheck {
    private static final int THREADS = 32;
    /** The bytes of a blob that are read together: names of some thousand objects. */
    private static final int WINDOW = 1 << 20;

    private final ObjectStore store;
    private final DamageLocator findings;
    private final AtomicLong left;
    private final AtomicLong asked = new AtomicLong();

    /** @param budget the most objects to ask for; 0: none */
    AdoptedCheck(ObjectStore store, DamageLocator findings, long budget) {
        this.store = store;
        this.findings = findings;
        this.left = new AtomicLong(budget);
    }

    /** Returns whether objects may be asked for. */
    boolean isOn() {
        return left.get() > 0;
    }

    /** Returns the number of objects that were asked for. */
    long asked() {
        return asked.get();
    }

    /** An extent that the table has, and whose bytes are the name of an object. */
    record Named(ExtentMark mark, Extent extent) {}

    /** Asks for the objects of a blob's extents, each once. */
    void check(BlobState blob, List<Named> extents) throws IOException {
        Map<AdoptedObject, List<Named>> objects = objects(blob, extents);
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (Map.Entry<AdoptedObject, List<Named>> each : objects.entrySet()) {
            if (left.getAndDecrement() <= 0) {
                break;
            }
            calls.add(() -> ask(blob, each.getKey(), each.getValue()));
        }
        List<Boolean> unused = ParallelCalls.run(THREADS, calls);
    }

    private Map<AdoptedObject, List<Named>> objects(BlobState blob, List<Named> extents) throws IOException {
        List<Named> ordered = new ArrayList<>(extents);
        ordered.sort(Comparator.comparing(each -> each.extent().blobOffset()));
        Map<AdoptedObject, List<Named>> objects = new LinkedHashMap<>();
        ByteBuffer window = ByteBuffer.allocate(0);
        long start = 0;
        for (Named each : ordered) {
            Extent extent = each.extent();
            if (extent.blobOffset() < start || extent.blobEnd() > start + window.limit()) {
                start = extent.blobOffset();
                long rest = blob.name().footerOffset() - start;
                window = store.get(blob.key(), start, (int) Math.min(rest, Math.max(WINDOW, extent.storedLength())));
            }
            ByteBuffer stored = window.duplicate()
                    .position((int) (extent.blobOffset() - start))
                    .limit((int) (extent.blobEnd() - start))
                    .slice();
            try {
                AdoptedObject object = ExtentCodec.adopted(blob.key(), extent, stored);
                objects.computeIfAbsent(object, any -> new ArrayList<>()).add(each);
            } catch (CorruptBlobException e) {
                findings.ofMark(each.mark(), extent, DamageKind.CHECKSUM, blob, String.valueOf(e.getMessage()));
            }
        }
        return objects;
    }

    private boolean ask(BlobState blob, AdoptedObject object, List<Named> extents) throws IOException {
        asked.incrementAndGet();
        Optional<String> problem = problem(object);
        if (problem.isPresent()) {
            for (Named each : extents) {
                findings.ofMark(each.mark(), each.extent(), DamageKind.OBJECT, blob, problem.get());
            }
        }
        return problem.isEmpty();
    }

    private Optional<String> problem(AdoptedObject object) throws IOException {
        ObjectVersion version = new ObjectVersion(object.bucket(), object.key(), object.version(), object.length());
        try {
            // The first byte costs as much as a HEAD, and a store that ignores conditions is found out by its answer.
            ByteBuffer unused = store.getVersion(version, 0, 1);
            return Optional.empty();
        } catch (ObjectChangedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
