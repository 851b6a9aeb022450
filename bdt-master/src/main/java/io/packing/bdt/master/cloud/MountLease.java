// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.FencedException;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.row.Reached;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This master's hold on a mount: an epoch, renewed in the backing store while the master lives and another one asks, and lost
 * when a newer epoch is found. Listeners learn of the loss at once. Steppable, thread-safe; {@link #start} steps it in a thread.
 */
public final class MountLease {
    private static final Logger LOG = LoggerFactory.getLogger(MountLease.class);
    private static final long STEP_MILLIS = 500;

    private final String mount;
    private final LeaseEpochs epochs;
    private final long leaseEpoch;
    private final LongSupplier nanoClock;
    private final List<Consumer<FencedException>> listeners = new ArrayList<>();
    private final CountDownLatch stopSignal = new CountDownLatch(1);
    private final Thread thread;
    private LeaseHolder holder;
    private long nextLook;
    private boolean failing;
    /** True if the last look did not find the epoch in the store. */
    private volatile boolean isAbsent;

    private volatile @Nullable FencedException lost;

    /** @param holder as it stands in the epoch's object since now */
    MountLease(String mount, LeaseEpochs epochs, long epoch, LeaseHolder holder, LongSupplier nanoClock) {
        this.mount = mount;
        this.epochs = epochs;
        this.leaseEpoch = epoch;
        this.holder = holder;
        this.nanoClock = nanoClock;
        this.nextLook = nanoClock.getAsLong() + lookNanos();
        this.thread = new Thread(this::run, "bdt-lease-" + mount);
        this.thread.setDaemon(true);
    }

    /** Looks, and renews when it is asked to, until {@link #stop}. */
    public void start() {
        thread.start();
    }

    public long leaseEpoch() {
        return leaseEpoch;
    }

    /** Why the mount is not this master's any more, if it is not. */
    public Optional<FencedException> lost() {
        return Optional.ofNullable(lost);
    }

    /** Returns the reason why operators must see to the store; empty: it has the epoch, as far as the last look knows. */
    public Optional<String> problem() {
        return isAbsent
                ? Optional.of(
                        ("its store has no epoch %d of it: the store was emptied, or another one is in its place. Put the store"
                                        + " back: docs/recover.md, 'The store is lost'")
                                .formatted(leaseEpoch))
                : Optional.empty();
    }

    /** Calls the listener when the mount is lost; at once when it is. */
    public void whenLost(Consumer<FencedException> listener) {
        FencedException why;
        synchronized (listeners) {
            listeners.add(listener);
            why = lost;
        }
        if (why != null) {
            listener.accept(why);
        }
    }

    /** Fails when a newer master owns the mount: this one must not write any more. */
    public void check() throws IOException {
        FencedException why = lost;
        if (why == null) {
            Optional<LeaseEpochs.Found> newer = epochs.read(leaseEpoch + 1);
            if (newer.isEmpty()) {
                return;
            }
            why = lose("mount %s was taken over by %s; this master has epoch %d. Let clients name that master"
                    .formatted(mount, newer.get().who(), leaseEpoch));
        }
        throw why;
    }

    /** Returns whether a store has this very holder. */
    public synchronized boolean isIn(ObjectStore other) throws IOException {
        return new LeaseEpochs(other)
                .read(leaseEpoch)
                .flatMap(LeaseEpochs.Found::holder)
                .filter(there -> there.run().equals(holder.run()))
                .isPresent();
    }

    /**
     * Looks at the store if that is due, and renews the lease if another master waits for its end.
     *
     * @return whether it was due
     */
    public synchronized boolean step() throws IOException {
        long now = nanoClock.getAsLong();
        if (now - nextLook < 0 || isStopped()) {
            return false;
        }
        check();
        Optional<LeaseEpochs.Found> found = epochs.read(leaseEpoch);
        tellIfAbsent(found.isEmpty());
        Optional<LeaseHolder> there = found.flatMap(LeaseEpochs.Found::holder);
        if (there.isPresent() && !there.get().run().equals(holder.run())) {
            throw lose(
                    ("mount %s: %s has opened it with a copy of this master's data directory. Stop one of the two and"
                                    + " remove its data directory")
                            .formatted(mount, there.get()));
        }
        if (epochs.isAsked(leaseEpoch, holder)) {
            LeaseHolder renewed = holder.renewed();
            epochs.write(leaseEpoch, renewed);
            holder = renewed;
        }
        nextLook = now + lookNanos();
        return true;
    }

    /**
     * Gives the mount to another master: from the moment when the store has the next epoch, that master has the mount, and this one
     * has not. May be repeated until it returns.
     *
     * @param other what the next epoch says
     * @throws FencedException when a third one took the mount
     * @throws IOException when nobody knows who has the mount until this was repeated
     */
    public synchronized void handOver(LeaseHolder other) throws IOException {
        try {
            epochs.take(leaseEpoch + 1, other);
        } catch (UnavailableException e) {
            // There is such an epoch: an earlier try may have made it.
            boolean ours = epochs.read(leaseEpoch + 1)
                    .flatMap(LeaseEpochs.Found::holder)
                    .filter(there -> there.run().equals(other.run()))
                    .isPresent();
            if (!ours) {
                check();
                throw e;
            }
        }
        stop();
        synchronized (listeners) {
            // Later checks fail with this; no listener has to act on a finished move.
            lost = new FencedException("mount %s was moved to %s".formatted(mount, other));
            listeners.clear();
        }
    }

    /**
     * Gives the mount up, so that another master need not wait. Renewals must have stopped.
     *
     * @param standing how far the table is, which changes no more; empty: there is none
     */
    public synchronized void release(Optional<Reached> standing) throws IOException {
        if (lost == null) {
            check();
            epochs.write(leaseEpoch, holder.ended(standing));
        }
    }

    /** Ends the renewals; does not wait for one that is under way. */
    public void stop() {
        stopSignal.countDown();
    }

    /** A renewal that failed is tried again every half second, as long as the lease may still hold. */
    private void run() {
        try {
            while (lost == null && !stopSignal.await(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
                tryStep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            if (isStopped()) {
                // The store was closed meanwhile.
                return;
            }
            // Without renewals, any master may take the mount.
            FencedException stopped =
                    lose("mount %s: its lease cannot be renewed (%s); restart the master".formatted(mount, e));
            LOG.error("{}", stopped.getMessage(), e);
        }
    }

    private void tryStep() {
        try {
            boolean renewed = step();
            failing &= !renewed;
        } catch (FencedException e) {
            LOG.debug("mount {}: renewals end", mount);
        } catch (IOException e) {
            if (!failing) {
                failing = true;
                LOG.warn("mount {}: its lease could not be renewed, which is tried again: {}", mount, e.toString());
            }
        }
    }

    private void tellIfAbsent(boolean now) {
        boolean before = isAbsent;
        isAbsent = now;
        if (now && !before) {
            LOG.error("mount {}: {}", mount, problem().orElse(""));
        }
    }

    private FencedException lose(String message) {
        FencedException why = new FencedException(message);
        List<Consumer<FencedException>> told;
        synchronized (listeners) {
            FencedException before = lost;
            if (before != null) {
                return before;
            }
            lost = why;
            told = List.copyOf(listeners);
        }
        LOG.error("{}", message);
        told.forEach(listener -> listener.accept(why));
        return why;
    }

    private boolean isStopped() {
        return stopSignal.getCount() == 0;
    }

    private long lookNanos() {
        return holder.lease().toNanos() / 3 * 2;
    }
}
