// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.DeniedException;
import io.packing.bdt.QuotaExceededException;
import io.packing.blob.FilePath;
import io.packing.nbd.NbdError;
import io.packing.nbd.NbdException;
import io.packing.worker.api.BufferFullException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a volume's changes into its log, by some threads. Thread-safe.
 */
final class VolumeWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeWriter.class);

    /** The groups that are under way at a time: more of them would be smaller ones. */
    private static final int LOGGERS = 2;

    /** The pieces of a group that goes beside another one: fewer wait for its end, since each group costs two calls and two syncs. */
    private static final int BESIDE_PIECES = 16;

    private final FilePath path;
    private final VolumeMemory limits;
    private final VolumeView view;
    private final VolumeLog log;
    private final VolumeMapper mapper;
    private final Optional<BlockSharing> sharing;
    private final List<Thread> loggers = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** There is something to do for the threads that write the log. */
    private final Condition toLog = lock.newCondition();
    /** There is room for changes. */
    private final Condition room = lock.newCondition();
    // Guarded by the lock.
    /** The groups that the log does not have yet, in their order. */
    private final Deque<Group> groups = new ArrayDeque<>();
    /** Those of them that no thread writes yet. */
    private final Deque<Group> waiting = new ArrayDeque<>();
    /** The future of the next group. */
    private CompletableFuture<Void> next = new CompletableFuture<>();
    /** The future of the last group. */
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    private Optional<IOException> failure = Optional.empty();
    private Optional<VolumeLostException> lost = Optional.empty();
    private int writing;
    private int endedLoggers;
    private boolean isSyncWanted;
    private boolean isRetry;
    private boolean isClosed;
    private boolean isEnded;

    /** A group on its way into the log. */
    private static final class Group {
        private final VolumeLog.Slot slot;
        private final WrittenRanges ranges;
        private final CompletableFuture<Void> done;
        private Optional<WrittenRanges> placed = Optional.empty();

        Group(VolumeLog.Slot slot, WrittenRanges ranges, CompletableFuture<Void> done) {
            this.slot = slot;
            this.ranges = ranges;
            this.done = done;
        }
    }

    /**
     * @param sharing looks for blocks that the volume has already
     * @param applied runs when the map has further changes
     */
    VolumeWriter(
            FilePath path,
            VolumeMemory limits,
            VolumeView view,
            VolumeLog log,
            VolumeCommits map,
            Optional<BlockSharing> sharing,
            Runnable applied) {
        this.sharing = sharing;
        this.path = path;
        this.limits = limits;
        this.view = view;
        this.log = log;
        this.mapper = new VolumeMapper(path, limits, view, log, map, sharing, this::end, () -> {
            signalRoom();
            applied.run();
        });
        for (int i = 0; i < LOGGERS; i++) {
            loggers.add(new Thread(this::logAll, "volume-log-%d-%s".formatted(i, path.name())));
        }
    }

    void start() {
        loggers.forEach(VolumeWriter::start);
        mapper.start();
    }

    private static void start(Thread thread) {
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes a change; waits while too many are in memory only for the map. */
    void change(WrittenPiece piece) throws IOException {
        lock.lock();
        try {
            checkUsable();
            while (view.pendingBytes() >= limits.pendingBytes()) {
                room.await();
                checkUsable();
            }
            view.put(piece);
            if (view.currentBytes() >= limits.groupBytes()) {
                toLog.signal();
            }
        } catch (InterruptedException e) {
            throw VolumeLookUps.interrupted(e);
        } finally {
            lock.unlock();
        }
    }

    private void checkUsable() throws IOException {
        if (isClosed) {
            throw new NbdException(NbdError.ESHUTDOWN, path + " is closed");
        }
        if (lost.isPresent()) {
            throw new IOException(lost.get().getMessage(), lost.get());
        }
    }

    /** Returns the future that ends when the log has all that was taken. */
    CompletableFuture<Void> flush() {
        lock.lock();
        try {
            if (lost.isPresent()) {
                return CompletableFuture.failedFuture(new IOException(lost.get().getMessage(), lost.get()));
            }
            if (!view.hasCurrent()) {
                return last;
            }
            if (!isSyncWanted || view.currentPieces() == BESIDE_PIECES) {
                isSyncWanted = true;
                toLog.signal();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Writes groups until the volume is closed. */
    private void logAll() {
        try {
            for (Optional<Group> group = take(); group.isPresent(); group = take()) {
                write(group.get());
            }
        } catch (InterruptedException e) {
            end(new VolumeLostException(path + ": interrupted"));
        } catch (RuntimeException | Error e) {
            // Clients that wait for a sync get an error, and so do all later ones.
            end(new VolumeLostException(path + ": " + e));
            throw e;
        } finally {
            loggerEnded();
        }
    }

    private void write(Group group) {
        Optional<WrittenRanges> placed = Optional.empty();
        Optional<IOException> failed = Optional.empty();
        try {
            placed = Optional.of(log.write(group.slot, group.ranges));
        } catch (VolumeLostException e) {
            LOG.error("{}", e.getMessage());
            end(e);
        } catch (IOException e) {
            failed = Optional.of(e);
        } finally {
            ended(group, placed, failed);
        }
    }

    /** Returns the next group; empty: there will be none. */
    private Optional<Group> take() throws InterruptedException {
        lock.lock();
        try {
            long left = limits.idle().toNanos();
            while (lost.isEmpty() && !isEnded) {
                boolean isSettling = failure.isPresent();
                if (!isSettling && waiting.isEmpty() && view.hasCurrent() && (left <= 0 || isDue())) {
                    seal();
                }
                if (!isSettling && !waiting.isEmpty()) {
                    writing++;
                    return Optional.of(waiting.remove());
                }
                if (isClosed && !isSettling && !view.hasCurrent()) {
                    return Optional.empty();
                }
                if (left <= 0) {
                    left = limits.idle().toNanos();
                }
                left = toLog.awaitNanos(left);
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether changes have to go to the log now: clients ask for it, or they are many. */
    private boolean isDue() {
        boolean isSyncDue = isSyncWanted && (writing == 0 || view.currentPieces() >= BESIDE_PIECES);
        return isSyncDue || isClosed || (view.currentBytes() >= limits.groupBytes() && !isRetry);
    }

    private void seal() {
        List<WrittenRanges> sealed = view.seal(
                LogGroup.MOST_RANGES,
                changes -> sharing.map(of -> of.split(changes)).orElse(List.of(changes)));
        for (int i = 0; i < sealed.size(); i++) {
            boolean isLast = i == sealed.size() - 1;
            Group group = new Group(log.next(), sealed.get(i), isLast ? next : new CompletableFuture<>());
            groups.add(group);
            waiting.add(group);
        }
        last = next;
        next = new CompletableFuture<>();
        isSyncWanted = false;
        if (waiting.size() > 1) {
            toLog.signalAll();
        }
    }

    /** A group is in the log, or its upload failed. */
    private void ended(Group group, Optional<WrittenRanges> placed, Optional<IOException> failed) {
        List<CompletableFuture<Void>> synced = new ArrayList<>();
        List<CompletableFuture<Void>> given = new ArrayList<>();
        Optional<IOException> reason = Optional.empty();
        lock.lock();
        try {
            writing--;
            group.placed = placed;
            failure = failure.or(() -> failed);
            // In their order: what is answered has all before it in the log.
            while (!groups.isEmpty() && groups.element().placed.isPresent()) {
                Group first = groups.remove();
                mapper.logged(first.slot, first.placed.orElseThrow());
                synced.add(first.done);
                isRetry = false;
            }
            if (failure.isPresent() && writing == 0) {
                reason = failure;
                failure = Optional.empty();
                giveBack(reason.get(), given);
            }
        } finally {
            lock.unlock();
        }
        synced.forEach(each -> each.complete(null));
        if (reason.isPresent()) {
            IOException told = known(reason.get());
            given.forEach(each -> each.completeExceptionally(told));
        }
    }

    /** Takes the groups back that are not in the log, after a failure and when none is being written. */
    private void giveBack(IOException why, List<CompletableFuture<Void>> futures) {
        LOG.warn(
                "{} has {} groups of writes that were not synced, and tries again: {}",
                path,
                groups.size(),
                why.getMessage());
        groups.forEach(each -> futures.add(each.done));
        groups.clear();
        waiting.clear();
        view.giveBack();
        log.beginEpoch();
        isRetry = true;
        // A closed volume has had its last try.
        isEnded = isClosed;
        toLog.signalAll();
    }

    private void loggerEnded() {
        lock.lock();
        try {
            endedLoggers++;
            if (endedLoggers == LOGGERS) {
                mapper.noneFollows();
                // None follows for the clients that wait.
                NbdException closed = new NbdException(NbdError.ESHUTDOWN, path + " is closed");
                boolean unused = next.completeExceptionally(closed);
            }
        } finally {
            lock.unlock();
        }
    }

    private void signalAll() {
        toLog.signalAll();
        room.signalAll();
    }

    private void signalRoom() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the writing for good. */
    private void end(VolumeLostException why) {
        List<CompletableFuture<Void>> futures = new ArrayList<>();
        lock.lock();
        try {
            lost = lost.or(() -> Optional.of(why));
            groups.forEach(each -> futures.add(each.done));
            futures.add(next);
            signalAll();
        } finally {
            lock.unlock();
        }
        mapper.end();
        futures.forEach(each -> each.completeExceptionally(new IOException(why.getMessage(), why)));
    }

    /** Returns the failure that tells a client more than EIO. */
    private static IOException known(IOException failure) {
        if (failure instanceof QuotaExceededException || failure instanceof BufferFullException) {
            return new NbdException(NbdError.ENOSPC, String.valueOf(failure.getMessage()), failure);
        }
        if (failure instanceof DeniedException) {
            return new NbdException(NbdError.EPERM, String.valueOf(failure.getMessage()), failure);
        }
        return failure;
    }

    /**
     * Puts all that was written into the map, and ends.
     *
     * @throws IOException when the last changes are not there
     */
    @Override
    public void close() throws IOException {
        CompletableFuture<Void> synced = flush();
        lock.lock();
        try {
            isClosed = true;
            signalAll();
        } finally {
            lock.unlock();
        }
        mapper.hurry();
        try {
            for (Thread logger : loggers) {
                logger.join();
            }
            mapper.close();
            Void unused = synced.get();
        } catch (InterruptedException e) {
            throw VolumeLookUps.interrupted(e);
        } catch (ExecutionException e) {
            throw new IOException("%s: the last changes are lost: %s".formatted(path, e.getCause()), e);
        }
        mapper.checkMapped();
    }
}
