// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.HashCode;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.ContentFingerprint;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.CreateRefusal;
import io.packing.worker.api.MountOptions;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.SliceWriter;
import io.packing.worker.pack.MasterSession;
import io.packing.worker.pack.SampledFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/**
 * The steps by which this process takes a new file: buffer its bytes, claim it and, if the mount asks for it, await its
 * upload. Thread-safe.
 *
 * @param slicesInMemory bytes that slices of files may take in memory
 */
record FileAdmission(
        MountOptions options,
        FileBuffer buffer,
        Appender appender,
        MasterSession masterSession,
        MountThreads threads,
        Optional<Deduplication> deduplication,
        SampledFiles sampled,
        Clock clock,
        Semaphore slicesInMemory) {
    /** The part of a full blob up to which a file shares one: a blob ends at most one file before it is full. */
    private static final int BLOB_PART = 16;

    /** Returns the session to claim with; fails when this process is fenced or the mount is broken. */
    WorkerSession session() throws IOException {
        threads.check();
        return masterSession.session();
    }

    /** Takes a file that does not fit in memory. */
    SliceWriter slices(FilePath path) throws IOException {
        return new SliceWriter(
                buffer,
                session().newFileId(),
                path,
                options.write().compression().whenBuffered(),
                sharedBytes(),
                slicesInMemory);
    }

    /**
     * Buffers and claims a whole small file; deduplication claims it without its bytes if the mount has them. The
     * future completes when the file is as durable as the mount asks. May wait for room. The caller must not change the
     * bytes until then.
     */
    CompletableFuture<FileVersion> put(FilePath path, CreateOptions create, ByteBuffer bytes, Appender.Writer writer)
            throws IOException {
        if (bytes.remaining() > options.write().pieceBytes()) {
            throw new IllegalArgumentException(
                    "%s: %d bytes are too many for one piece".formatted(path, bytes.remaining()));
        }
        checkExtra(path, create);
        FileAttributes attributes = attributes(create, bytes.remaining());
        // The store learns of a shared file with the master's next journal, which may come after the close.
        boolean looked = deduplication.isPresent()
                && bytes.hasRemaining()
                && !isUploaded(path, create)
                && create.append().isEmpty();
        int fingerprint = looked ? ContentFingerprint.of(bytes) : 0;
        IncomingFile file = new IncomingFile(
                session().newFileId(), path, attributes, create, bytes, writer, fingerprint, Optional.empty());
        sampled.add(file.id(), CurrentSpan.get().context());
        return looked ? deduplication.get().put(file, this::buffer) : buffer(file);
    }

    private CompletableFuture<FileVersion> buffer(IncomingFile wanted) throws IOException {
        BufferedFile file = appender.append(
                wanted.id(),
                wanted.path(),
                wanted.attributes(),
                options.write().compression().whenBuffered(),
                wanted.bytes(),
                wanted.writer());
        return appended(file, wanted.create(), wanted.sha256(), wanted.told())
                .whenComplete((done, failed) -> appender.answered());
    }

    /** Completes and claims a file that was written in slices: up to a size in a blob with others. */
    CompletableFuture<FileVersion> finish(
            FilePath path, SliceWriter slices, FileAttributes attributes, CreateOptions create) throws IOException {
        checkExtra(path, create);
        Optional<BufferedFile> shared =
                attributes.length() <= sharedBytes() ? slices.share(appender, attributes) : Optional.empty();
        return shared.isPresent()
                ? appended(shared.get(), create, Optional.empty(), OptionalInt.empty())
                : admit(slices.finish(attributes), create, Optional.empty(), OptionalInt.empty());
    }

    /**
     * Refuses attributes of a file that waits for its upload: an older file stays meanwhile, with attributes of its own. Refuses attributes that
     * no file may have, too: the claims of all clients share messages, which must not become too large.
     */
    private void checkExtra(FilePath path, CreateOptions create) {
        long bytes = create.extra().bytes();
        if (bytes > RareAttributeChange.MOST_BYTES) {
            throw new IllegalArgumentException("%s: %,d bytes of extended attributes, at most %,d"
                    .formatted(path, bytes, RareAttributeChange.MOST_BYTES));
        }
        if (!create.extra().isNone() && isUploaded(path, create)) {
            throw new IllegalArgumentException(
                    "%s waits for its upload: set its extended attributes when it is written".formatted(path));
        }
    }

    private long sharedBytes() {
        return Math.min(options.write().spillBytes(), options.pack().blobMaxBytes() / BLOB_PART);
    }

    private CompletableFuture<FileVersion> appended(
            BufferedFile file, CreateOptions create, Optional<HashCode> sha256, OptionalInt fingerprint) {
        Span span = CurrentSpan.get();
        // The bytes come first: the claim may replace an older file, and must not do so for bytes that a crash could
        // lose.
        return file.appended()
                .whenComplete((done, failed) -> {
                    if (failed != null) {
                        buffer.drop(file);
                    }
                })
                .thenCompose(done -> {
                    // This runs on the appender's thread.
                    try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
                        return admit(file, create, sha256, fingerprint);
                    }
                });
    }

    FileAttributes attributes(CreateOptions create, long length) {
        return new FileAttributes(
                length, create.mtimeMillis().orElseGet(clock::millis), create.owner(), create.group(), create.mode());
    }

    private CompletableFuture<FileVersion> admit(
            BufferedFile file, CreateOptions create, Optional<HashCode> sha256, OptionalInt fingerprint) {
        boolean isDeferred = isUploaded(file.path(), create);
        if (isDeferred) {
            buffer.defer(file);
        }
        Claim wanted = new Claim(
                file.id(),
                file.path(),
                file.attributes(),
                create.createParents(),
                create.overwrite(),
                isDeferred,
                sha256,
                false,
                create.user(),
                create.extra(),
                fingerprint,
                isDeferred
                        ? Optional.empty()
                        : create.append().filter(to -> file.attributes().length() > 0));
        if (create.overwrite()) {
            buffer.claimedAfter(file, masterSession.newestPosition());
        }
        return masterSession
                .claim(wanted)
                .whenComplete((result, failed) -> {
                    if (failed != null) {
                        buffer.doubt(file);
                    }
                })
                .thenCompose(result -> answered(file, create, result));
    }

    private CompletableFuture<FileVersion> answered(BufferedFile file, CreateOptions create, ClaimResult result) {
        if (result instanceof ClaimResult.Refused refused) {
            buffer.drop(file);
            return CompletableFuture.failedFuture(CreateRefusal.of(file.path(), refused));
        }
        ClaimResult.Granted granted = (ClaimResult.Granted) result;
        FileVersion version = granted.version();
        buffer.granted(file, version.generation());
        return isUploaded(file.path(), create)
                ? uploaded(file, version)
                : CompletableFuture.completedFuture(granted.appended().orElse(version));
    }

    private boolean isUploaded(FilePath path, CreateOptions create) {
        return create.uploaded() || options.write().areUploaded(path);
    }

    private CompletableFuture<FileVersion> uploaded(BufferedFile file, FileVersion version) {
        buffer.requestUpload();
        return buffer.uploads().of(file).thenApply(done -> version);
    }
}
