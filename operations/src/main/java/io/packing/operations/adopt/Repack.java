// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.bdt.Bdt;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.MountHomes;
import io.packing.bdt.Placement;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
import io.packing.operations.walk.BlobObject;
import io.packing.operations.walk.TreeWalk;
import io.packing.store.ObjectChangedException;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectVersion;
import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A repack: it reads the bytes of small adopted files from their objects and packs them, in the order of the tree. It reports the new
 * places as the worker whose adoption the files are of. The objects stay. Confined to one thread.
 */
public final class Repack implements AutoCloseable {
    private static final int THREADS = 32;
    /** The files that are planned at once, and those whose bytes are in memory. */
    private static final int PLANNED = 20_000;

    private static final int MOST_READ = 2_000;
    private static final long MOST_READ_BYTES = 32L << 20;
    /** The most bytes of names that one request reads. */
    private static final int MOST_NAMES = 1 << 20;
    /** A footer with more files takes too much memory. */
    private static final int FILES_PER_BLOB = 200_000;

    private final Bdt bdt;
    private final ObjectStore store;
    private final RepackLimits limits;
    private final Path scratch;
    private final LongSupplier micros;
    private final Consumer<RefusedKey> failures;
    private final LongConsumer progress;
    private final MountHomes homes;
    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final List<Candidate> planned = new ArrayList<>();
    private final Set<FileVersion> seen = new HashSet<>();
    /** The files of the blob that was looked at last. */
    private final Map<FileVersion, PackedFile> names = new HashMap<>();

    private Optional<BlobName> namesOf = Optional.empty();
    private final ExecutorService readers = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "repack-read");
        thread.setDaemon(true);
        return thread;
    });
    private long lastMicros;
    private long budgetUsed;
    private long files;
    private long bytes;
    private long blobs;
    private long failed;

    /**
     * The result of a repack.
     *
     * @param files that are packed now
     * @param bytes of these files
     * @param blobs that have them
     * @param failed files whose objects have changed or gone
     */
    public record Counts(long files, long bytes, long blobs, long failed) {}

    /** A file to pack, and the name of its object. */
    private record Candidate(FilePath path, FileVersion version, BlobExtent at) {
        static final Comparator<Candidate> BY_PLACE = Comparator.comparing(
                        (Candidate each) -> each.at.blob().toString())
                .thenComparingLong(each -> each.at.extent().blobOffset());
    }

    /** A session of a worker, and its blob that fills. */
    private static final class Target {
        private final WorkerSession session;
        private Optional<AdoptionBlob> blob = Optional.empty();

        Target(WorkerSession session) {
            this.session = session;
        }
    }

    /** The end of the walk, since the budget is used. */
    private static final class BudgetUsedException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Begins a repack.
     *
     * @param store of the mount
     * @param scratch a directory for the blobs that fill
     * @param micros the time, in microseconds since the epoch
     * @param failures gets each file whose object has changed or gone
     * @param progress gets numbers of files
     */
    public Repack(
            Bdt bdt,
            ObjectStore store,
            RepackLimits limits,
            Path scratch,
            LongSupplier micros,
            Consumer<RefusedKey> failures,
            LongConsumer progress)
            throws IOException {
        this.bdt = bdt;
        this.store = store;
        this.limits = limits;
        this.scratch = scratch;
        this.micros = micros;
        this.failures = failures;
        this.progress = progress;
        this.homes = bdt.homes(true);
    }

    /** Packs the adopted files at a path and below it, until the budget is used. */
    public Counts run(FilePath top) throws IOException {
        if (homes.places().size() > 1) {
            throw new IOException(
                    "the mount is being brought to another store: repack when packing mounts says that it has arrived");
        }
        try {
            TreeWalk.located(bdt, top, this::plan);
        } catch (BudgetUsedException e) {
            // What is planned fits.
        }
        pack();
        for (Target target : targets.values()) {
            push(target);
            Heartbeat last = new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, Heartbeat.Presence.LEFT);
            HeartbeatReply unused = target.session.heartbeat(last);
        }
        return new Counts(files, bytes, blobs, failed);
    }

    private void plan(ListedEntry entry) throws IOException {
        if (entry.status().attributes().mtimeMillis() > limits.newestMillis()) {
            return;
        }
        FilePath path = entry.status().path();
        if (entry.placement().orElse(null) instanceof Placement.Packed packed) {
            plan(path, entry.status().version(), packed);
        } else if (entry.placement().orElse(null) instanceof Placement.Mapped mapped) {
            for (Placement.Piece piece : mapped.pieces()) {
                if (piece.content().placement() instanceof Placement.Packed packed) {
                    plan(path, piece.content().status().version(), packed);
                }
            }
        }
    }

    private void plan(FilePath path, FileVersion version, Placement.Packed packed) throws IOException {
        if (packed.extents().size() != 1) {
            return;
        }
        BlobExtent at = packed.extents().get(0);
        int length = at.extent().length();
        if (at.extent().codec() != Codec.ADOPTED
                || length > limits.smallerThan()
                || !at.blob().worker().startsWith(Adoption.WORKERS)
                || seen.contains(version)) {
            return;
        }
        if (length > limits.budgetBytes() - budgetUsed) {
            throw new BudgetUsedException();
        }
        budgetUsed += length;
        boolean unused = seen.add(version);
        planned.add(new Candidate(path, version, at));
        if (planned.size() == PLANNED) {
            pack();
        }
    }

    /** Packs what is planned, the files of one blob of names one behind the other. */
    private void pack() throws IOException {
        planned.sort(Candidate.BY_PLACE);
        for (int from = 0; from < planned.size(); ) {
            int to = from;
            long together = 0;
            while (to < planned.size() && to - from < MOST_READ && together < MOST_READ_BYTES) {
                together += planned.get(to).at().extent().length();
                to++;
            }
            pack(planned.subList(from, to));
            progress.accept(to - from);
            from = to;
        }
        planned.clear();
    }

    private void pack(List<Candidate> some) throws IOException {
        List<AdoptedObject> objects = objects(some);
        List<Future<ByteBuffer>> reads = new ArrayList<>();
        for (AdoptedObject object : objects) {
            ObjectVersion version = new ObjectVersion(object.bucket(), object.key(), object.version(), object.length());
            reads.add(readers.submit(() -> store.getVersion(version, 0, Math.toIntExact(object.length()))));
        }
        for (int i = 0; i < some.size(); i++) {
            Candidate each = some.get(i);
            ByteBuffer read;
            try {
                read = Awaited.get(reads.get(i), "reading " + objects.get(i));
            } catch (ObjectChangedException e) {
                failed++;
                failures.accept(new RefusedKey(each.path().value(), String.valueOf(e.getMessage())));
                continue;
            }
            add(each, read);
        }
    }

    private void add(Candidate each, ByteBuffer read) throws IOException {
        Target target = target(each.at().blob().worker());
        if (target.blob.isEmpty()) {
            target.blob = Optional.of(
                    new AdoptionBlob(scratch.resolve(each.at().blob().worker())));
        }
        AdoptionBlob blob = target.blob.get();
        blob.pack(original(each), read);
        files++;
        bytes += each.at().extent().length();
        if (blob.bytes() >= limits.blobBytes() || blob.files() == FILES_PER_BLOB) {
            push(target);
        }
    }

    /** Returns the file as the blob of names has it: a recovery follows it from the path of its claim. */
    private PackedFile original(Candidate each) throws IOException {
        BlobName name = each.at().blob();
        if (!name.equals(namesOf.orElse(null))) {
            String key = BlobName.FOLDER + name.key();
            long length = store.head(key)
                    .orElseThrow(() -> new ObjectNotFoundException("blob %s is gone".formatted(name)))
                    .length();
            names.clear();
            BlobReader.open(new BlobObject(store, key, length), name.footerOffset(), Keystore.NONE)
                    .footer()
                    .forEach(file -> names.put(file.version(), file));
            namesOf = Optional.of(name);
        }
        PackedFile file = names.get(each.version());
        if (file == null) {
            throw new CorruptBlobException("%s does not have %s, which the table says".formatted(name, each.version()));
        }
        return file;
    }

    private Target target(String worker) throws IOException {
        Target known = targets.get(worker);
        if (known == null) {
            known = new Target(register(worker));
            targets.put(worker, known);
        }
        return known;
    }

    /** Begins a session, unless an adoption is under way: that one keeps its own. */
    private WorkerSession register(String worker) throws IOException {
        WorkerRegistration registration = new WorkerRegistration(worker, "");
        try {
            return bdt.register(registration.waiting());
        } catch (WorkerInUseException e) {
            if (e.isPresumed()) {
                // The master has just started, and only has not heard of the worker yet.
                return bdt.register(registration);
            }
            throw new IOException("an adoption of these files is under way: repack when it has ended", e);
        }
    }

    private void push(Target target) throws IOException {
        if (target.blob.isEmpty()) {
            return;
        }
        String worker = targets.entrySet().stream()
                .filter(each -> each.getValue() == target)
                .findFirst()
                .orElseThrow()
                .getKey();
        try (AdoptionBlob blob = target.blob.get()) {
            target.blob = Optional.empty();
            AdoptionBlob.Pushed pushed = blob.push(store, worker, this::nextMicros);
            Heartbeat report = new Heartbeat(0, 0, List.of(pushed.blob()), pushed.files());
            HeartbeatReply unused = target.session.heartbeat(report.at(homes.number(), homes.sinceMicros()));
            blobs++;
        }
    }

    /** Reads the names of objects, neighbours with one request. */
    private List<AdoptedObject> objects(List<Candidate> sorted) throws IOException {
        List<AdoptedObject> objects = new ArrayList<>();
        for (int from = 0; from < sorted.size(); ) {
            BlobName blob = sorted.get(from).at().blob();
            long start = sorted.get(from).at().extent().blobOffset();
            int to = from;
            long end = start;
            while (to < sorted.size()
                    && sorted.get(to).at().blob().equals(blob)
                    && sorted.get(to).at().extent().blobEnd() - start <= MOST_NAMES) {
                end = sorted.get(to).at().extent().blobEnd();
                to++;
            }
            ByteBuffer names = store.get(BlobName.FOLDER + blob.key(), start, (int) (end - start));
            for (Candidate each : sorted.subList(from, to)) {
                Extent extent = each.at().extent();
                ByteBuffer stored = names.slice((int) (extent.blobOffset() - start), extent.storedLength());
                objects.add(ExtentCodec.adopted(blob.toString(), extent, stored));
            }
            from = to;
        }
        return objects;
    }

    private long nextMicros() {
        lastMicros = Math.max(lastMicros + 1, micros.getAsLong());
        return lastMicros;
    }

    @Override
    public void close() throws IOException {
        List<Runnable> unused = readers.shutdownNow();
        for (Target target : targets.values()) {
            target.session.close();
            if (target.blob.isPresent()) {
                target.blob.get().close();
            }
        }
    }
}
