// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import com.google.common.hash.Hashing;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.MountHomes;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * An adoption (RFC 0029): it lists a bucket, claims a file for each object, and pushes blobs that name the objects. It is a worker of
 * the mount meanwhile, without a buffer. If it breaks off, the next one with this source and target goes on. While a thread commits a batch of files, another one claims the next.
 */
public final class Adoption {
    /** The beginning of the names of workers that are adoptions. */
    static final String WORKERS = "adopt-";

    /** The objects of a blob: few enough that claims wait for seconds at most. */
    private static final int OBJECTS_PER_BLOB = 25_000;

    private static final long EXTENTS_PER_BLOB = 200_000;

    private final Bdt bdt;
    private final ObjectStore store;
    private final AdoptionSource source;
    private final FilePath target;
    private final Settings settings;
    private final String worker;
    private final Consumer<RefusedKey> refusals;
    private final LongConsumer progress;
    private final MountHomes homes;
    private long lastMicros;
    private long objects;
    private long bytes;
    private long there;
    private long refused;

    /**
     * The circumstances of an adoption.
     *
     * @param owner of the new files
     * @param mode of the new files
     * @param scratch a directory for one blob at a time
     * @param micros the time, in microseconds since the epoch
     * @param own beginnings of the keys of the mount's own objects in the bucket
     */
    public record Settings(String owner, int mode, Path scratch, LongSupplier micros, List<String> own) {}

    /**
     * The result of an adoption.
     *
     * @param objects that are files now
     * @param bytes of these objects
     * @param there objects whose path had a file before
     * @param refused objects that no file can stand for
     */
    public record Counts(long objects, long bytes, long there, long refused) {}

    /** An object whose claim is under way. */
    private record Claimed(ObjectInfo object, FilePath path, long id, CompletableFuture<ClaimResult> result) {}

    private Adoption(
            Bdt bdt,
            ObjectStore store,
            AdoptionSource source,
            FilePath target,
            Settings settings,
            Consumer<RefusedKey> refusals,
            LongConsumer progress)
            throws IOException {
        this.bdt = bdt;
        this.store = store;
        this.source = source;
        this.target = target;
        this.settings = settings;
        this.refusals = refusals;
        this.progress = progress;
        this.homes = bdt.homes(true);
        // A second run takes the session of one that broke off, and so the files that this one claimed.
        String both = source + "\n" + target;
        this.worker = WORKERS
                + Hashing.sha256()
                        .hashString(both, StandardCharsets.UTF_8)
                        .toString()
                        .substring(0, 16);
    }

    /**
     * Adopts all objects of a source.
     *
     * @param store of the mount
     * @param target a directory, which need not exist
     * @param refusals gets each object that is not adopted
     * @param progress gets numbers of objects
     * @throws IOException also when the mount cannot have adopted objects, or the source has none
     */
    public static Counts run(
            Bdt bdt,
            ObjectStore store,
            AdoptionSource source,
            FilePath target,
            Settings settings,
            Consumer<RefusedKey> refusals,
            LongConsumer progress)
            throws IOException {
        Adoption adoption = new Adoption(bdt, store, source, target, settings, refusals, progress);
        adoption.check();
        return adoption.run();
    }

    private void check() throws IOException {
        if (!bdt.encryptionKey().isEmpty()) {
            throw new IOException(
                    "the mount encrypts its objects, and the adopted ones would stay as they are: copy them with packing copy, or adopt them into a mount without a key");
        }
        if (homes.places().size() > 1) {
            throw new IOException(
                    "the mount is being brought to another store: adopt when packing mounts says that it has arrived");
        }
        Optional<FileStatus> entry = bdt.stat(target);
        if (entry.filter(found -> !found.isDirectory()).isPresent()) {
            throw new FileAlreadyExistsException(target.value(), null, "a file is there: name a directory");
        }
    }

    private Counts run() throws IOException {
        WorkerRegistration registration = new WorkerRegistration(worker, "");
        try (WorkerSession session = bdt.register(registration);
                BucketListing listing = new BucketListing(store, source);
                OneBehind commits = new OneBehind()) {
            session.reclaimed();
            KeyTree tree = new KeyTree(source, target, settings.own());
            List<Claimed> claims = new ArrayList<>();
            long extents = 0;
            long seen = 0;
            for (Optional<ObjectInfo> next = listing.next(); next.isPresent(); next = listing.next()) {
                ObjectInfo object = next.get();
                KeyVerdict verdict = tree.next(object);
                if (verdict instanceof KeyVerdict.Refused no) {
                    refuse(object, no.reason());
                } else if (verdict instanceof KeyVerdict.File file) {
                    claims.add(claim(session, object, file.path(), false));
                    extents += 1 + object.length() / Extent.MAX_LENGTH;
                }
                seen += verdict instanceof KeyVerdict.Own ? 0 : 1;
                if (claims.size() == OBJECTS_PER_BLOB || extents >= EXTENTS_PER_BLOB) {
                    List<Claimed> batch = claims;
                    commits.begin(() -> adopt(session, batch));
                    claims = new ArrayList<>();
                    extents = 0;
                }
            }
            if (seen == 0) {
                throw new ObjectNotFoundException("there are no objects below %s".formatted(source));
            }
            commits.await();
            adopt(session, claims);
            Heartbeat last = new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, Heartbeat.Presence.LEFT);
            HeartbeatReply unused = session.heartbeat(last);
        }
        return new Counts(objects, bytes, there, refused);
    }

    /** Callable from both threads. */
    private synchronized void refuse(ObjectInfo object, String reason) {
        refused++;
        refusals.accept(new RefusedKey(object.key(), reason));
    }

    private Claimed claim(WorkerSession session, ObjectInfo object, FilePath path, boolean overwrite)
            throws IOException {
        long id = session.newFileId();
        Claim claim = new Claim(id, path, attributes(object), true, overwrite);
        return new Claimed(object, path, id, session.claim(claim));
    }

    private FileAttributes attributes(ObjectInfo object) {
        return new FileAttributes(
                object.length(), object.modified().toEpochMilli(), settings.owner(), "", settings.mode());
    }

    /** Waits for claims, and makes a blob of those that were granted. */
    private void adopt(WorkerSession session, List<Claimed> claims) throws IOException {
        if (claims.isEmpty()) {
            return;
        }
        long before = objects;
        try (AdoptionBlob blob = new AdoptionBlob(settings.scratch().resolve("adopted"))) {
            List<Claimed> present = new ArrayList<>();
            for (Claimed each : claims) {
                add(blob, each, present);
            }
            for (int from = 0; from < present.size(); from += FoundEntry.MOST_PATHS) {
                List<Claimed> some = present.subList(from, Math.min(present.size(), from + FoundEntry.MOST_PATHS));
                for (Claimed each : again(session, some)) {
                    List<Claimed> changed = new ArrayList<>();
                    add(blob, each, changed);
                    there += changed.size();
                }
            }
            if (objects > before) {
                AdoptionBlob.Pushed pushed = blob.push(store, worker, this::nextMicros);
                Heartbeat report = new Heartbeat(0, 0, List.of(pushed.blob()), pushed.files());
                HeartbeatReply unused = session.heartbeat(report.at(homes.number(), homes.sinceMicros()));
            }
        }
        progress.accept(claims.size());
    }

    /** Adds an object with a granted claim to the blob. */
    private void add(AdoptionBlob blob, Claimed claimed, List<Claimed> present) throws IOException {
        ClaimResult result = Awaited.get(claimed.result(), "claiming " + claimed.path());
        if (result instanceof ClaimResult.Granted granted) {
            FileVersion version = granted.version();
            PackedFile file = new PackedFile(version, claimed.path(), attributes(claimed.object()), List.of());
            blob.add(file, source.bucket(), claimed.object());
            objects++;
            bytes += claimed.object().length();
            return;
        }
        ClaimResult.Refused no = (ClaimResult.Refused) result;
        if (no.reason() == Outcome.EXISTS) {
            present.add(claimed);
        } else {
            String reason = no.message().isEmpty() ? reason(no.reason()) : no.message();
            refuse(claimed.object(), reason);
        }
    }

    private static String reason(Outcome reason) {
        return switch (reason) {
            case IS_A_DIRECTORY -> "a directory is at its path";
            case NOT_A_DIRECTORY -> "a file is where its path needs a directory";
            default -> "the mount does not take it: " + reason;
        };
    }

    /** Claims those files again that an adoption before had claimed when it broke off. */
    private List<Claimed> again(WorkerSession session, List<Claimed> present) throws IOException {
        List<FoundEntry> found = bdt.find(present.stream().map(Claimed::path).toList());
        List<Claimed> again = new ArrayList<>();
        for (int i = 0; i < present.size(); i++) {
            boolean lost = found.get(i)
                    .entry()
                    .flatMap(entry -> entry.placement())
                    .filter(at -> at instanceof Placement.Lost by && by.worker().equals(worker))
                    .isPresent();
            if (lost) {
                again.add(claim(session, present.get(i).object(), present.get(i).path(), true));
            } else {
                there++;
            }
        }
        return again;
    }

    private long nextMicros() {
        lastMicros = Math.max(lastMicros + 1, settings.micros().getAsLong());
        return lastMicros;
    }
}
