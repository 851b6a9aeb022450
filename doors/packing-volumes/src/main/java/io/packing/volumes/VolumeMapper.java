// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.Operation;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a volume's logged groups into its map, by a thread. Thread-safe. */
final class VolumeMapper {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeMapper.class);

    /** The pieces of a vector, nearly: the master's other changes wait for it. */
    private static final int BATCH_PIECES = 512;

    /** The time in which further groups join a small vector. */
    private static final long BATCH_NANOS = 100_000_000;

    private final FilePath path;
    private final VolumeMemory limits;
    private final VolumeView view;
    private final VolumeLog log;
    private final VolumeCommits map;
    private final Optional<BlockSharing> sharing;
    private final Consumer<VolumeLostException> lost;
    private final Runnable applied;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by the lock, as is the part of the view that the log has and the map has not.
    /** The places of groups that the log has, and the map has not. */
    private final Deque<VolumeLog.Slot> logged = new ArrayDeque<>();

    private boolean isLast;
    private boolean isHurried;
    private boolean isEnded;
    private boolean isUnmapped;

    /** A batch of groups, and their places. */
    private record Next(VolumeView.Batch batch, List<VolumeLog.Slot> slots) {}

    /**
     * @param sharing looks for blocks that the volume has already
     * @param lost learns that the map takes no further change
     * @param applied runs when the map has further changes
     */
    VolumeMapper(
            FilePath path,
            VolumeMemory limits,
            VolumeView view,
            VolumeLog log,
            VolumeCommits map,
            Optional<BlockSharing> sharing,
            Consumer<VolumeLostException> lost,
            Runnable applied) {
        this.path = path;
        this.limits = limits;
        this.view = view;
        this.log = log;
        this.map = map;
        this.sharing = sharing;
        this.lost = lost;
        this.applied = applied;
        this.thread = new Thread(this::mapAll, "volume-map-" + path.name());
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes the first group of the view, which the log has. */
    void logged(VolumeLog.Slot slot, WrittenRanges placed) {
        lock.lock();
        try {
            view.logged(placed);
            logged.add(slot);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void set(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets no group wait for others, nor a failed vector for its next try. */
    void hurry() {
        set(() -> isHurried = true);
    }

    /** Ends the thread when the map has all groups. */
    void noneFollows() {
        set(() -> isLast = true);
    }

    /** Ends the thread soon. */
    void end() {
        set(() -> isEnded = true);
    }

    /** Waits for the end of the thread. */
    void close() throws InterruptedException {
        thread.join();
    }

    /** @throws IOException when the map lacks changes */
    void checkMapped() throws IOException {
        lock.lock();
        try {
            if (isUnmapped) {
                throw new IOException(path
                        + ": its map lacks the last changes; they are in its log, and the next server puts them there");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Puts logged groups into the map until the volume is closed. */
    private void mapAll() {
        int epoch = 1;
        try {
            while (awaitLogged()) {
                Next next = next();
                List<VolumeLog.Slot> slots = next.slots();
                int now = slots.get(slots.size() - 1).epoch();
                List<Operation.Delete> deletes = new ArrayList<>();
                slots.forEach(slot -> deletes.add(new Operation.Delete(slot.file(), false)));
                deletes.addAll(log.deleteEpochs(epoch, now));
                if (!map(next.batch(), deletes)) {
                    return;
                }
                epoch = now;
            }
        } catch (InterruptedException e) {
            lost.accept(new VolumeLostException(path + ": interrupted"));
        } catch (VolumeLostException e) {
            LOG.error("{}", e.getMessage());
            lost.accept(e);
        } catch (RuntimeException | Error e) {
            lost.accept(new VolumeLostException(path + ": " + e));
            throw e;
        }
    }

    /** Puts groups into the map; returns false when the volume is closed and they are not there. */
    private boolean map(VolumeView.Batch batch, List<Operation.Delete> deletes)
            throws InterruptedException, VolumeLostException {
        // A vector that is tried again must be the same one.
        Optional<BlockSharing.Batch> shared = Optional.empty();
        while (true) {
            try {
                if (sharing.isPresent() && shared.isEmpty()) {
                    shared = Optional.of(sharing.get().share(batch.changes(), view::readMapped));
                }
                map.commit(shared.map(BlockSharing.Batch::changes).orElse(batch.changes()), deletes);
                break;
            } catch (VolumeLostException e) {
                throw e;
            } catch (IOException e) {
                LOG.warn(
                        "{} has {} groups in its log that its map does not have, and tries again: {}",
                        path,
                        batch.groups(),
                        e.getMessage());
                if (!pause()) {
                    return false;
                }
            }
        }
        lock.lock();
        try {
            view.applied(batch);
            for (int i = 0; i < batch.groups(); i++) {
                VolumeLog.Slot unused = logged.remove();
            }
        } finally {
            lock.unlock();
        }
        if (shared.isPresent()) {
            sharing.orElseThrow().mapped(shared.get());
        }
        applied.run();
        return true;
    }

    private Next next() {
        lock.lock();
        try {
            VolumeView.Batch batch = view.batch(BATCH_PIECES);
            return new Next(batch, logged.stream().limit(batch.groups()).toList());
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the map lacks changes; returns false when none will come. */
    private boolean awaitLogged() throws InterruptedException {
        lock.lock();
        try {
            while (logged.isEmpty() && !isEnded && !isLast) {
                changed.await();
            }
            long left = BATCH_NANOS;
            while (left > 0 && view.loggedPieces() < BATCH_PIECES && !isEnded && !isHurried) {
                left = changed.awaitNanos(left);
            }
            return !logged.isEmpty() && !isEnded;
        } finally {
            lock.unlock();
        }
    }

    /** Waits before the next try; returns false when the volume is closed. */
    private boolean pause() throws InterruptedException {
        lock.lock();
        try {
            long left = limits.idle().toNanos();
            while (left > 0 && !isHurried && !isEnded) {
                left = changed.awaitNanos(left);
            }
            isUnmapped = isHurried;
            return !isHurried && !isEnded;
        } finally {
            lock.unlock();
        }
    }
}
