// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.Hashing;
import io.packing.bdt.ContentFingerprint;
import io.packing.bdt.NotedContent;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that this worker claimed, or is about to claim, without a hash of their bytes. No two of them have one fingerprint. They are
 * hashed later, out of the buffer, and the master learns the hashes; a file that is gone by then is left out. Thread-safe.
 */
final class UnhashedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(UnhashedFiles.class);
    /** The files up to which hashing may be put off: those of a blob of 1 GB with 8 KB each. */
    private static final int MOST = 131_072;
    /** The files that are hashed before others may have their turn. */
    private static final int BATCH = 256;

    /** The worker's buffer, and its master. */
    interface Contents {
        /** Returns the bytes of a buffered file; empty when it is gone. */
        Optional<ByteBuffer> read(FileVersion version) throws IOException;

        /** Tells the master hashes of buffered files. */
        void note(List<NotedContent> contents) throws IOException;
    }

    /** @param done completes when the file is claimed */
    record Unhashed(int fingerprint, CompletableFuture<FileVersion> done) {}

    private final Contents contents;
    private final MountFingerprints fingerprints;
    private final Map<Integer, Unhashed> byFingerprint = new ConcurrentHashMap<>();
    /** The claimed ones. */
    private final Queue<Unhashed> claimed = new ConcurrentLinkedQueue<>();

    private final Object hashing = new Object();

    UnhashedFiles(Contents contents, MountFingerprints fingerprints) {
        this.contents = contents;
        this.fingerprints = fingerprints;
    }

    /** Adds a file that will be claimed; empty: there is one of this fingerprint, or there are too many. */
    Optional<Unhashed> begin(int fingerprint) {
        if (byFingerprint.size() >= MOST) {
            return Optional.empty();
        }
        Unhashed mine = new Unhashed(fingerprint, new CompletableFuture<>());
        return byFingerprint.putIfAbsent(fingerprint, mine) == null ? Optional.of(mine) : Optional.empty();
    }

    /** Learns that a file is claimed, or is not. */
    void end(Unhashed file, @Nullable FileVersion version, @Nullable Throwable failure) {
        if (version != null) {
            claimed.add(file);
            boolean unused = file.done().complete(version);
        } else {
            boolean unusedRemoved = byFingerprint.remove(file.fingerprint(), file);
            boolean unused = file.done()
                    .completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        }
    }

    /** Returns the file of a fingerprint. */
    Optional<Unhashed> of(int fingerprint) {
        return Optional.ofNullable(byFingerprint.get(fingerprint));
    }

    /** Returns true if there are claimed files. */
    boolean hasClaimed() {
        return !claimed.isEmpty();
    }

    /** Returns true if hashing should not be put off any longer. */
    boolean areMany() {
        return byFingerprint.size() >= MOST / 2;
    }

    /** Hashes a batch of the claimed files; returns whether there were any. */
    boolean hashSome() throws IOException {
        // A caller that finds none here knows that no other thread is still at them.
        synchronized (hashing) {
            List<Unhashed> batch = new ArrayList<>();
            for (Unhashed next = claimed.poll(); next != null; ) {
                batch.add(next);
                next = batch.size() < BATCH ? claimed.poll() : null;
            }
            try {
                hash(batch);
            } catch (IOException | RuntimeException e) {
                // The next try has them again.
                claimed.addAll(batch);
                throw e;
            }
            return !batch.isEmpty();
        }
    }

    /** Hashes claimed files, unless another thread did so meanwhile. */
    void hash(Collection<Unhashed> files) throws IOException {
        synchronized (hashing) {
            List<Unhashed> mine = files.stream()
                    .filter(file -> file.equals(byFingerprint.get(file.fingerprint())))
                    .toList();
            List<NotedContent> noted = new ArrayList<>(mine.size());
            for (Unhashed file : mine) {
                FileVersion version = file.done().join();
                Optional<ByteBuffer> bytes = read(version);
                if (bytes.isPresent() && ContentFingerprint.of(bytes.get()) == file.fingerprint()) {
                    noted.add(new NotedContent(version, Hashing.sha256().hashBytes(bytes.get()), file.fingerprint()));
                }
            }
            if (!noted.isEmpty()) {
                contents.note(noted);
            }
            for (Unhashed file : mine) {
                // First: a writer of equal bytes finds it at one of both places.
                fingerprints.add(file.fingerprint());
                boolean unused = byFingerprint.remove(file.fingerprint(), file);
            }
        }
    }

    /** Reads a buffered file. One that cannot be read is left out: it must not keep others from their turn. */
    private Optional<ByteBuffer> read(FileVersion version) {
        try {
            return contents.read(version);
        } catch (IOException e) {
            LOG.debug("{} is not hashed", version, e);
            return Optional.empty();
        }
    }
}
