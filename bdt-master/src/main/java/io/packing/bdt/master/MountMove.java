// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.FencedException;
import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.LeaseHolder;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.bdt.master.log.TailedBatches;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move of a mount from this group to another one, as the master does it that has the mount. The mount is used meanwhile. The next
 * epoch in the mount's store decides: before this master has made it for the other group, the mount is this group's, and after
 * that the other one's. Run by one thread.
 */
final class MountMove implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(MountMove.class);
    /** The most bytes left to send while changes wait. */
    private static final long SMALL_TAIL_BYTES = 256 << 10;
    /** The most rounds of sending the rest before changes wait, however large the rest is. */
    private static final int MOST_ROUNDS = 20;

    private static final long PAUSE_MILLIS = 200;

    /** A point of a move, at which tests may end it. */
    enum Point {
        BEGUN,
        ENTERED,
        COPIED,
        FROZEN,
        COMPLETE,
        SWITCHED,
        TOLD
    }

    /** The group that has the mount. */
    private enum Decision {
        HERE,
        /** The next epoch may be on its way to the store. */
        UNKNOWN,
        THERE
    }

    private final OpenMounts mounts;
    private final MountSlot.Open<Mount, MountRequest> opened;
    private final Admission admission;
    private final MountEntry entry;
    private final MountOpener opener;
    private final String target;
    private final long token;
    private final MoveSender to;
    private final LongSupplier nanos;
    private final Consumer<Point> points;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final long began;
    private volatile Decision decision = Decision.HERE;
    /** The entry in the table of mounts when this move was recorded there. */
    private volatile Optional<MountEntry> entered = Optional.empty();

    private volatile MoveProgress.State state = MoveProgress.State.COPYING;
    private volatile String problem = "";
    private volatile long frozenNanos;
    private volatile long endedNanos;

    MountMove(
            OpenMounts mounts,
            MountSlot.Open<Mount, MountRequest> opened,
            Admission admission,
            MountEntry entry,
            MountOpener opener,
            String target,
            long token,
            MoveSender to,
            LongSupplier nanos,
            Consumer<Point> points) {
        this.mounts = mounts;
        this.opened = opened;
        this.admission = admission;
        this.entry = entry;
        this.opener = opener;
        this.target = target;
        this.token = token;
        this.to = to;
        this.nanos = nanos;
        this.points = points;
        this.began = nanos.getAsLong();
    }

    MoveProgress progress() {
        long end = endedNanos == 0 ? nanos.getAsLong() : endedNanos;
        return new MoveProgress(
                state,
                target,
                to.rows(),
                to.bytes(),
                Duration.ofNanos(end - began),
                Duration.ofNanos(frozenNanos),
                problem);
    }

    /** Gives up what is not decided yet. */
    void stop() {
        stopping.countDown();
    }

    @Override
    public void run() {
        Mount mount = opened.mount();
        try (TailedBatches.Tail tail = mount.writer().batches().follow()) {
            move(mount, tail);
        } catch (IOException | RuntimeException e) {
            undone(e);
        } catch (InterruptedException e) {
            undone(e);
            Thread.currentThread().interrupt();
        } finally {
            endedNanos = nanos.getAsLong();
            if (!progress().isOver()) {
                state = MoveProgress.State.UNDONE;
            }
        }
    }

    private void move(Mount mount, TailedBatches.Tail tail) throws IOException, InterruptedException {
        String identity = opener.identity(opened.request())
                .map(StoreIdentity::id)
                .orElseThrow(() -> new IOException("the store of mount %s has no identity".formatted(mount.id())));
        LeaseHolder holder = to.begin(Arrivals.sent(opened.request().raw()), identity, mount.encryptionKey());
        points.accept(Point.BEGUN);
        MountEntry moving = entry.movingTo(target, holder.instance(), token);
        Optional<MountEntry> now = admission.table().change(mount.id(), Optional.of(entry), moving);
        if (!now.equals(Optional.of(moving))) {
            throw new IllegalArgumentException("the table of mounts has another entry now: %s".formatted(now));
        }
        entered = now;
        try {
            points.accept(Point.ENTERED);
            to.copy(mount.writer().batches(), tail);
            to.sync();
            for (int round = 0; round < MOST_ROUNDS && to.catchUp(tail) > SMALL_TAIL_BYTES; round++) {
                to.sync();
            }
            points.accept(Point.COPIED);
            freezeAndSwitch(mount, tail, holder);
        } finally {
            tell();
        }
        points.accept(Point.TOLD);
        open();
    }

    private void freezeAndSwitch(Mount mount, TailedBatches.Tail tail, LeaseHolder holder)
            throws IOException, InterruptedException {
        state = MoveProgress.State.SWITCHING;
        long since = nanos.getAsLong();
        mount.writer().freeze();
        try {
            points.accept(Point.FROZEN);
            long unused = to.catchUp(tail);
            to.end(mount.table().position());
            points.accept(Point.COMPLETE);
            mounts.slot(mount.id()).froze();
            try {
                handOver(mount, holder);
                state = MoveProgress.State.DONE;
                frozenNanos = nanos.getAsLong() - since;
                mounts.moved(mount, admission.moved(mount.id(), target));
            } finally {
                mounts.slot(mount.id()).thawed();
            }
        } finally {
            frozenNanos = nanos.getAsLong() - since;
            mount.writer().thaw();
        }
        LOG.info(
                "mount {} is group {}'s now; changes waited {} ms, {} rows were sent",
                mount.id(),
                target,
                frozenNanos / 1_000_000,
                to.rows());
        points.accept(Point.SWITCHED);
    }

    /** Returns when the other group has the mount. Until the owner is certain, clients get no answer. */
    private void handOver(Mount mount, LeaseHolder holder) throws IOException {
        decision = Decision.UNKNOWN;
        for (boolean told = false; ; told = true) {
            try {
                mount.lease().handOver(holder);
                decision = Decision.THERE;
                return;
            } catch (FencedException e) {
                decision = Decision.HERE;
                mount.writer().stop(e);
                throw e;
            } catch (IOException e) {
                if (!told) {
                    LOG.warn(
                            "mount {}: whether group {} has it is not known yet: {}", mount.id(), target, e.toString());
                }
            } catch (RuntimeException | Error e) {
                mount.writer().stop(new UnavailableException("nobody knows who has the mount; restart the master", e));
                throw e;
            }
            if (isStopping()) {
                UnavailableException why = new UnavailableException("the master is stopping");
                mount.writer().stop(why);
                throw why;
            }
        }
    }

    /** Waits a little. */
    private boolean isStopping() {
        try {
            return stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Updates the table if possible: otherwise the next opening of the mount settles the entry by the epoch. */
    private void tell() {
        if (decision == Decision.UNKNOWN || stopping.getCount() == 0) {
            return;
        }
        try {
            settle();
        } catch (IOException | RuntimeException e) {
            LOG.warn("mount {}: the table of mounts does not say yet who has it: {}", entry.mount(), e.toString());
        }
    }

    /** Records the mount's group in the table of mounts, unless it is there. Only then may clients learn that the move is done. */
    void settle() throws IOException {
        if (entered.isEmpty()) {
            return;
        }
        MountEntry from = entered.get();
        MountEntry next = decision == Decision.THERE ? from.arrived() : from.stayed();
        Optional<MountEntry> now = admission.table().change(from.mount(), Optional.of(from), next);
        LOG.debug("the entry of mount {} is {}", from.mount(), now);
    }

    private void open() {
        try {
            to.open();
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "mount {}: group {} has it, and opens it when the first client asks: {}",
                    entry.mount(),
                    target,
                    e.toString());
        }
    }

    private void undone(Exception e) {
        if (state != MoveProgress.State.DONE) {
            problem = String.valueOf(e.getMessage());
            state = MoveProgress.State.UNDONE;
            LOG.warn("mount {} stays at group {}: its move to {} ended", entry.mount(), entry.group(), target, e);
        }
    }
}
