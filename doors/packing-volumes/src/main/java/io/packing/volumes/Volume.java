// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.DeniedException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.QuotaExceededException;
import io.packing.blob.FilePath;
import io.packing.nbd.DeviceRange;
import io.packing.nbd.NbdDevice;
import io.packing.nbd.NbdError;
import io.packing.nbd.NbdException;
import io.packing.worker.api.BufferFullException;
import io.packing.worker.api.PackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of a mount as a device. Written bytes are in memory until a group of them goes into the table, by a thread of the
 * volume. Thread-safe.
 */
public final class Volume implements NbdDevice, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Volume.class);
    private static final int READ_TRIES = 4;

    private final FilePath path;
    private final long size;
    private final boolean readOnly;
    private final VolumeMemory limits;
    private final Executor background;
    private final VolumeView view;
    private final VolumeLookUps lookUps;
    private final Optional<Thread> committer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by the lock.
    /** The future of the next commit. */
    private CompletableFuture<Void> next = new CompletableFuture<>();
    /** The future of the commit that is under way; done when none is. */
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    private boolean isSyncWanted;
    private boolean isClosed;
    private Optional<VolumeLostException> lost = Optional.empty();

    private Volume(
            PackingFileSystem mount, LocatedFile located, boolean readOnly, VolumeMemory limits, Executor background)
            throws IOException {
        FileStatus status = located.status();
        this.path = status.path();
        this.size = status.attributes().length();
        this.readOnly = readOnly;
        this.limits = limits;
        this.background = background;
        this.view = new VolumeView(new VolumeBase(located, mount.open(located)));
        this.lookUps = new VolumeLookUps(mount, path, view);
        this.committer = readOnly
                ? Optional.empty()
                : Optional.of(new Thread(() -> commitAll(new VolumeCommits(mount, status)), "volume-" + path.name()));
    }

    /**
     * Opens a volume.
     *
     * @param readOnly refuses changes; a file without a right to write, and one of a snapshot, refuses them as well
     * @param background runs look-ups of the table while clients go on
     * @throws FileNotFoundException when the path has no file
     */
    public static Volume open(
            PackingFileSystem mount, FilePath path, boolean readOnly, VolumeMemory limits, Executor background)
            throws IOException {
        LocatedFile located = VolumeLookUps.find(mount, path);
        VolumeFiles.checkSize(path, located.status().attributes().length());
        Volume volume =
                new Volume(mount, located, readOnly || VolumeFiles.isReadOnly(located.status()), limits, background);
        volume.committer.ifPresent(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
        return volume;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        int position = into.position();
        for (int tries = 1; ; tries++) {
            VolumeBase from = view.base();
            try {
                view.read(offset, into);
                return;
            } catch (FileNotFoundException e) {
                // Contents were freed or joined since the base was looked up.
                if (tries == READ_TRIES) {
                    throw e;
                }
                into.position(position);
                lookUps.renewAfter(from);
            }
        }
    }

    @Override
    public List<DeviceRange> ranges(long offset, long length, int most) {
        return view.ranges(offset, length, most);
    }

    @Override
    public void write(long offset, ByteBuffer bytes) throws IOException {
        change(WrittenPiece.copy(offset, bytes));
    }

    @Override
    public void punch(long offset, long length) throws IOException {
        change(WrittenPiece.hole(offset, length));
    }

    private void change(WrittenPiece piece) throws IOException {
        if (readOnly) {
            throw new NbdException(NbdError.EPERM, path + " is read-only");
        }
        lock.lock();
        try {
            checkUsable();
            while (view.pendingBytes() >= limits.pendingBytes()) {
                changed.await();
                checkUsable();
            }
            view.put(piece);
            if (view.currentBytes() >= limits.groupBytes()) {
                changed.signalAll();
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

    @Override
    public CompletableFuture<Void> flush() {
        lock.lock();
        try {
            if (lost.isPresent()) {
                return CompletableFuture.failedFuture(new IOException(lost.get().getMessage(), lost.get()));
            }
            if (!view.hasCurrent()) {
                return running;
            }
            isSyncWanted = true;
            changed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Commits groups until the volume is closed. */
    private void commitAll(VolumeCommits into) {
        try {
            while (step(into)) {
                if (view.committedBytes() >= limits.committedBytes() && view.beginRenewal()) {
                    background.execute(lookUps::renewQuietly);
                }
            }
        } catch (InterruptedException e) {
            failed(new IOException("interrupted", e));
        } catch (RuntimeException | Error e) {
            // Clients that wait for a sync get an error, and so do all later ones.
            end(new VolumeLostException(path + ": " + e));
            throw e;
        } finally {
            noneFollows();
        }
    }

    /** Fails the clients that wait for a commit, since none follows. */
    private void noneFollows() {
        lock.lock();
        try {
            boolean unused = next.completeExceptionally(new NbdException(NbdError.ESHUTDOWN, path + " is closed"));
        } finally {
            lock.unlock();
        }
    }

    /** Commits a group when one is due; returns false when none will be. */
    private boolean step(VolumeCommits into) throws InterruptedException {
        WrittenRanges group;
        lock.lock();
        try {
            awaitDue();
            if (!view.hasCurrent()) {
                return !isClosed;
            }
            running = next;
            next = new CompletableFuture<>();
            isSyncWanted = false;
            group = view.beginCommit();
        } finally {
            lock.unlock();
        }
        try {
            into.commit(group);
            view.committed();
            boolean unused = ended().complete(null);
            return learn(into);
        } catch (VolumeLostException e) {
            LOG.error("{}", e.getMessage());
            end(e);
            return false;
        } catch (IOException e) {
            LOG.warn(
                    "{} has {} bytes that were not synced, and tries again: {}",
                    path,
                    group.dataBytes(),
                    e.getMessage());
            failed(e);
            return pause();
        }
    }

    /** Looks up what the commit has made, while clients have their answers; returns false when the volume is lost. */
    private boolean learn(VolumeCommits from) {
        try {
            from.learn();
        } catch (VolumeLostException e) {
            LOG.error("{}", e.getMessage());
            end(e);
            return false;
        } catch (IOException e) {
            LOG.debug("{}: the next commit looks its version up", path, e);
        }
        return true;
    }

    /** Waits until changes have to go to the table: clients ask for it, they are many, or the idle time is over. */
    private void awaitDue() throws InterruptedException {
        long left = limits.idle().toNanos();
        while (left > 0 && !isSyncWanted && !isClosed && view.currentBytes() < limits.groupBytes()) {
            left = changed.awaitNanos(left);
        }
    }

    /** Waits before the next try, unless a client wants a sync; returns false when the volume is closed. */
    private boolean pause() throws InterruptedException {
        lock.lock();
        try {
            long left = limits.idle().toNanos();
            while (left > 0 && !isClosed && !isSyncWanted) {
                left = changed.awaitNanos(left);
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the commit that is under way, and returns its future. */
    private CompletableFuture<Void> ended() {
        lock.lock();
        try {
            CompletableFuture<Void> ended = running;
            running = CompletableFuture.completedFuture(null);
            changed.signalAll();
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private void failed(IOException failure) {
        view.giveBack();
        boolean unused = ended().completeExceptionally(known(failure));
    }

    private void end(VolumeLostException failure) {
        lock.lock();
        try {
            lost = Optional.of(failure);
        } finally {
            lock.unlock();
        }
        failed(failure);
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
     * Syncs what was written, and ends. The mount stays open.
     *
     * @throws IOException when the last changes are not in the table
     */
    @Override
    public void close() throws IOException {
        CompletableFuture<Void> last = flush();
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (committer.isPresent()) {
                committer.get().join();
            }
            Void unused = last.get();
        } catch (InterruptedException e) {
            throw VolumeLookUps.interrupted(e);
        } catch (ExecutionException e) {
            throw new IOException("%s: the last changes are lost: %s".formatted(path, e.getCause()), e);
        }
    }
}
