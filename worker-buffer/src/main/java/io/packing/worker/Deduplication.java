// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.NotedContent;
import io.packing.bdt.Outcome;
import io.packing.bdt.WantedContent;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateRefusal;
import io.packing.worker.pack.MasterSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sharing of bytes that the mount already has ({@code packing.dedup=file}). The worker claims such a file without
 * its bytes, and neither buffers nor pushes them; other files go on into the buffer. One call asks the master for all
 * waiting files. Of equal files of one user that the mount does not have, one goes first and the others share its
 * bytes. The master shares only bytes that the user may read. So a writer cannot learn from its answer, or from the
 * time it takes, which bytes other users have.
 *
 * <p>A busy worker looks at a fingerprint first, for writers who may read all files: one that the mount does not have goes into the buffer
 * at once. Its bytes are hashed when the worker is idle, at the latest before they leave the buffer. Thread-safe; one thread steps it.
 */
final class Deduplication {
    private static final Logger LOG = LoggerFactory.getLogger(Deduplication.class);
    private static final int ASKED_AT_ONCE = 1_024;
    /** Bytes that may wait for an answer, in memory. */
    private static final int WAITING_BYTES = 64 << 20;

    /** The part of the master that deduplication asks. */
    interface Master {
        /** Returns for each content, in order, true if the mount has it and its user may read it. */
        List<Boolean> known(List<WantedContent> contents) throws IOException;

        /** Tells hashes of buffered files. */
        void note(List<NotedContent> contents) throws IOException;

        /** Returns a page of the fingerprints of contents that the mount has. */
        FingerprintPage fingerprints(long list, long after) throws IOException;

        CompletableFuture<ClaimResult> claim(Claim claim);

        /** Sends all claims that the task makes in one request. */
        void together(Runnable claims);

        /** Returns the master behind a worker's session. */
        static Master of(MasterSession masterSession) {
            return new Master() {
                @Override
                public List<Boolean> known(List<WantedContent> contents) throws IOException {
                    return masterSession.session().known(contents);
                }

                @Override
                public void note(List<NotedContent> contents) throws IOException {
                    masterSession.session().note(contents);
                }

                @Override
                public FingerprintPage fingerprints(long list, long after) throws IOException {
                    return masterSession.session().fingerprints(list, after);
                }

                @Override
                public CompletableFuture<ClaimResult> claim(Claim claim) {
                    return masterSession.claim(claim);
                }

                @Override
                public void together(Runnable claims) {
                    masterSession.together(claims);
                }
            };
        }
    }

    /** A store for a file that shares no bytes. May wait for room. */
    interface Buffered {
        CompletableFuture<FileVersion> put(IncomingFile file) throws IOException;
    }

    private record Waiting(
            IncomingFile file, Buffered otherwise, boolean shareable, CompletableFuture<FileVersion> done) {
        WantedContent content() {
            return new WantedContent(file.sha256().orElseThrow(), file.create().user());
        }

        Waiting notShareable() {
            return new Waiting(file, otherwise, false, done);
        }
    }

    private final Master master;
    private final LongConsumer saved;
    private final LateHashing late;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(WAITING_BYTES);
    /**
     * The files on their way into the buffer, one for each content and user. A user does not wait for another user's.
     */
    private final Map<WantedContent, CompletableFuture<FileVersion>> first = new ConcurrentHashMap<>();

    private volatile @Nullable IOException stopped;

    /** @param saved takes the length of each file that shares the bytes of another */
    Deduplication(Master master, LateHashing late, LongConsumer saved) {
        this.master = master;
        this.late = late;
        this.saved = saved;
    }

    /**
     * Shares or buffers a file; the future completes when it is as durable as the mount asks. May wait for room.
     *
     * @param otherwise buffers the file if it shares no bytes
     */
    CompletableFuture<FileVersion> put(IncomingFile file, Buffered otherwise) throws IOException {
        Optional<CompletableFuture<FileVersion>> unlike = late.put(file, otherwise);
        if (unlike.isPresent()) {
            return unlike.get();
        }
        int bytes = file.bytes().remaining();
        try {
            room.acquire(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while writing " + file.path());
        }
        late.asks(file);
        Waiting waiting = new Waiting(file.hashed(), otherwise, true, new CompletableFuture<>());
        CompletableFuture<FileVersion> done = waiting.done().whenComplete((version, failure) -> {
            late.asked(file);
            room.release(bytes);
        });
        add(waiting);
        return done;
    }

    /** Hashes all files that were put off, before their bytes leave the buffer. */
    void hashAll() {
        late.hashAll();
    }

    private void add(Waiting waiting) {
        queue.add(waiting);
        IOException why = stopped;
        if (why != null) {
            // The file may have joined the queue after it was emptied.
            failQueue(why);
        }
    }

    /** Fails all waiting files and all later ones, since no thread calls {@link #step} any more. */
    void stop(IOException why) {
        stopped = why;
        failQueue(why);
    }

    private void failQueue(IOException why) {
        List<Waiting> left = new ArrayList<>();
        queue.drainTo(left);
        left.forEach(waiting -> waiting.done().completeExceptionally(why));
    }

    /** Shares or buffers the waiting files, for which it waits up to a second, or hashes files that were put off. */
    void step() throws InterruptedException {
        Waiting next = queue.poll(late.pauseMillis(), TimeUnit.MILLISECONDS);
        if (next != null) {
            step(next);
        }
        late.step();
    }

    private void step(Waiting next) {
        List<Waiting> taken = new ArrayList<>(List.of(next));
        queue.drainTo(taken, ASKED_AT_ONCE - 1);
        try {
            taken.removeAll(tooEarly(taken));
            if (taken.isEmpty()) {
                return;
            }
            Map<WantedContent, CompletableFuture<FileVersion>> underway = Map.copyOf(first);
            Set<WantedContent> known = known(taken);
            Map<Boolean, List<Waiting>> byShare = taken.stream()
                    .collect(Collectors.partitioningBy(
                            waiting -> waiting.shareable() && known.contains(waiting.content())));
            master.together(() -> byShare.getOrDefault(true, List.of()).forEach(this::share));
            byShare.getOrDefault(false, List.of()).stream()
                    .filter(waiting -> isFirst(waiting, underway))
                    .forEach(this::buffer);
        } catch (RuntimeException | Error e) {
            // Only this step still knows these files, so it has to fail them.
            IOException cause = new IOException("the file could not be looked up: " + e, e);
            taken.forEach(waiting -> waiting.done().completeExceptionally(cause));
            throw e;
        }
    }

    /**
     * Returns true if no file with these bytes is on its way into the buffer; otherwise queues the file again for when
     * that one is done.
     *
     * @param underway the files on their way when the master was asked: the mount may have their bytes by now
     */
    private boolean isFirst(Waiting waiting, Map<WantedContent, CompletableFuture<FileVersion>> underway) {
        CompletableFuture<FileVersion> before = underway.get(waiting.content());
        if (before == null || !waiting.shareable()) {
            before = first.putIfAbsent(waiting.content(), waiting.done());
        }
        if (before != null) {
            CompletableFuture<FileVersion> unused = before.whenComplete((version, failure) -> add(waiting));
            return false;
        }
        CompletableFuture<FileVersion> unused =
                waiting.done().whenComplete((version, failure) -> first.remove(waiting.content(), waiting.done()));
        return true;
    }

    /** Hashes files that were put off and are like waiting ones. Returns the waiting files for which that is too early. */
    private List<Waiting> tooEarly(List<Waiting> taken) {
        List<Waiting> again = new ArrayList<>();
        List<IncomingFile> like = new ArrayList<>();
        for (Waiting waiting : taken) {
            Optional<CompletableFuture<FileVersion>> before =
                    waiting.shareable() ? late.underway(waiting.file()) : Optional.empty();
            if (before.isPresent()) {
                again.add(waiting);
                CompletableFuture<FileVersion> unused = before.get().whenComplete((version, failure) -> add(waiting));
            } else if (waiting.shareable()) {
                like.add(waiting.file());
            }
        }
        late.hashLike(like);
        return again;
    }

    /** Returns the contents that files can share. */
    private Set<WantedContent> known(List<Waiting> taken) {
        List<WantedContent> asked =
                taken.stream().map(Waiting::content).distinct().toList();
        try {
            List<Boolean> answers = master.known(asked);
            Set<WantedContent> known = new HashSet<>();
            for (int i = 0; i < asked.size(); i++) {
                if (answers.get(i)) {
                    known.add(asked.get(i));
                }
            }
            return known;
        } catch (IOException e) {
            // The claims of these files report the failure, if it lasts.
            LOG.debug("{} files are buffered without looking whether they are known", taken.size(), e);
            return Set.of();
        }
    }

    private void share(Waiting waiting) {
        IncomingFile file = waiting.file();
        CompletableFuture<ClaimResult> unused = master.claim(file.sharing()).whenComplete((result, failure) -> {
            if (failure != null) {
                waiting.done().completeExceptionally(failure);
            } else if (result instanceof ClaimResult.Granted granted) {
                saved.accept(file.attributes().length());
                waiting.done().complete(granted.version());
            } else {
                refused(waiting, (ClaimResult.Refused) result);
            }
        });
    }

    private void refused(Waiting waiting, ClaimResult.Refused refused) {
        if (refused.reason() == Outcome.UNKNOWN_CONTENT) {
            // Queue it, since a file that goes into the buffer may wait for an answer that only this thread brings.
            add(waiting.notShareable());
        } else {
            waiting.done().completeExceptionally(CreateRefusal.of(waiting.file().path(), refused));
        }
    }

    private void buffer(Waiting waiting) {
        try {
            CompletableFuture<FileVersion> unused = waiting.otherwise()
                    .put(waiting.file())
                    .whenComplete((version, failure) -> {
                        if (failure == null) {
                            waiting.done().complete(version);
                        } else {
                            waiting.done().completeExceptionally(failure);
                        }
                    });
        } catch (IOException e) {
            waiting.done().completeExceptionally(e);
        }
    }
}
