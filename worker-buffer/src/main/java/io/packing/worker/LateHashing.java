// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.BdtUser;
import io.packing.bdt.NotedContent;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that a busy worker buffers without a question to the master, since nothing that the mount has is like them: their fingerprints
 * are new. They are hashed when the worker is idle, when a file like one of them comes, or before they leave the buffer. Thread-safe; one
 * thread steps it.
 */
final class LateHashing {
    private static final Logger LOG = LoggerFactory.getLogger(LateHashing.class);
    /** The files on their way from which on a worker is busy; with fewer, a question to the master delays no other file. */
    private static final int BUSY_FILES = 8;

    /** The time without a new file after which the worker is idle. */
    private static final Duration IDLE = Duration.ofMillis(100);
    /** The time after a new file in which the fingerprints are kept fresh. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private static final long TICK_MILLIS = 1_000;
    private static final long SHORT_TICK_MILLIS = 50;

    /** The bytes of buffered files. */
    interface BufferedBytes {
        /** Returns the bytes of a file; empty when it is gone. */
        Optional<ByteBuffer> of(FileVersion version) throws IOException;
    }

    private final LongSupplier nanos;
    private final MountFingerprints fingerprints;
    private final UnhashedFiles unhashed;
    /** The number of files of each fingerprint about which the master is asked. */
    private final Map<Integer, Integer> asking = new ConcurrentHashMap<>();

    private final AtomicInteger underway = new AtomicInteger();
    private volatile long lastPut;
    /** No file is hashed before, since hashing failed. Confined to the thread that steps. */
    private long rests;

    LateHashing(Deduplication.Master master, BufferedBytes buffered, LongSupplier nanos) {
        this.nanos = nanos;
        this.fingerprints = new MountFingerprints(master::fingerprints, nanos);
        this.unhashed = new UnhashedFiles(
                new UnhashedFiles.Contents() {
                    @Override
                    public Optional<ByteBuffer> read(FileVersion version) throws IOException {
                        return buffered.of(version);
                    }

                    @Override
                    public void note(List<NotedContent> contents) throws IOException {
                        master.note(contents);
                    }
                },
                fingerprints);
        this.lastPut = nanos.getAsLong();
        this.rests = lastPut;
    }

    /** Buffers a file that is like nothing that the mount has; empty: the master has to be asked. */
    Optional<CompletableFuture<FileVersion>> put(IncomingFile file, Deduplication.Buffered buffer) throws IOException {
        lastPut = nanos.getAsLong();
        Optional<UnhashedFiles.Unhashed> begun =
                underway.get() >= BUSY_FILES - 1 && mayReadAll(file) ? begin(file.fingerprint()) : Optional.empty();
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        UnhashedFiles.Unhashed mine = begun.get();
        int unused = underway.incrementAndGet();
        try {
            return Optional.of(buffer.put(file).whenComplete((version, failure) -> {
                int unusedCount = underway.decrementAndGet();
                unhashed.end(mine, version, failure);
            }));
        } catch (IOException | RuntimeException e) {
            int unusedCount = underway.decrementAndGet();
            unhashed.end(mine, null, e);
            throw e;
        }
    }

    /**
     * Returns true if the file's writer may read all files. The time that other writers wait must not depend on bytes that
     * they may not read.
     */
    private static boolean mayReadAll(IncomingFile file) {
        return file.create().user().map(BdtUser::superuser).orElse(true);
    }

    private Optional<UnhashedFiles.Unhashed> begin(int fingerprint) {
        Optional<UnhashedFiles.Unhashed> mine = unhashed.begin(fingerprint);
        // After it has begun: another file of this fingerprint, wherever it has come to, is seen here or sees this one.
        if (mine.isPresent() && (asking.containsKey(fingerprint) || fingerprints.mayHave(fingerprint))) {
            unhashed.end(mine.get(), null, new IOException("the file is hashed at once"));
            return Optional.empty();
        }
        return mine;
    }

    /** Learns of a file about which the master is asked. */
    void asks(IncomingFile file) {
        int unused = underway.incrementAndGet();
        int unusedCount = asking.merge(file.fingerprint(), 1, Integer::sum);
    }

    /** Learns that such a file is claimed, or is not. */
    void asked(IncomingFile file) {
        // First: a file like it finds it at one of both places.
        fingerprints.add(file.fingerprint());
        Optional<Integer> unusedCount = Optional.ofNullable(
                asking.computeIfPresent(file.fingerprint(), (each, count) -> count == 1 ? null : count - 1));
        int unused = underway.decrementAndGet();
    }

    /** Returns the end of a file on its way into the buffer that is like a file about which the master is asked. */
    Optional<CompletableFuture<FileVersion>> underway(IncomingFile file) {
        return like(file).map(UnhashedFiles.Unhashed::done).filter(done -> !done.isDone());
    }

    private Optional<UnhashedFiles.Unhashed> like(IncomingFile file) {
        return mayReadAll(file) ? unhashed.of(file.fingerprint()) : Optional.empty();
    }

    /** Hashes the claimed files that are like some others, which can share their bytes then. */
    void hashLike(Collection<IncomingFile> files) {
        Set<UnhashedFiles.Unhashed> claimed = files.stream()
                .flatMap(file -> like(file).stream())
                .filter(each -> each.done().isDone() && !each.done().isCompletedExceptionally())
                .collect(Collectors.toSet());
        try {
            unhashed.hash(claimed);
        } catch (IOException e) {
            LOG.debug("{} files are not hashed for files like them", claimed.size(), e);
        }
    }

    /** Hashes all claimed files, before their bytes leave the buffer. A file that cannot be hashed now shares its bytes with none. */
    void hashAll() {
        try {
            boolean more = true;
            while (more) {
                more = unhashed.hashSome();
            }
        } catch (IOException | RuntimeException e) {
            // The push is done, and must not fail for hashes.
            LOG.debug("files are pushed without their hashes", e);
        }
    }

    /** Returns the time to the next step, if no file comes. */
    long pauseMillis() {
        return hashesNow() ? 0 : unhashed.hasClaimed() ? SHORT_TICK_MILLIS : TICK_MILLIS;
    }

    /** Keeps the fingerprints fresh while files come, and hashes some files when the worker is idle or they are many. */
    void step() {
        try {
            if (nanos.getAsLong() - lastPut < FRESH.toNanos() && fingerprints.isDue()) {
                fingerprints.refresh();
            }
            if (hashesNow()) {
                boolean unused = unhashed.hashSome();
            }
        } catch (IOException e) {
            LOG.debug("the master takes no hashes, or gives no fingerprints", e);
            rests = nanos.getAsLong() + AFTER_FAILURE.toNanos();
        }
    }

    /** Returns true if no file is on its way and none has come for a while: writers that wait for a slow disk come back. */
    private boolean isIdle(long now) {
        return underway.get() == 0 && now - lastPut > IDLE.toNanos();
    }

    private boolean hashesNow() {
        long now = nanos.getAsLong();
        return unhashed.hasClaimed() && now - rests >= 0 && (isIdle(now) || unhashed.areMany());
    }
}
