// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.row.Reached;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.sorted.SortedStore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The take-over of a mount by this master, or the reason that forbids it: the store is not the one that the table on this
 * disk is of, or another master holds the mount and may be alive. Thread-safe; one mount is asked for at a time.
 */
public final class TakeOvers {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOvers.class);
    /** The pause between looks at the store while clients wait: each look is a LIST and a GET. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final Owner owner;
    private final String instance;
    private final LeaseOptions terms;
    private final Supplier<String> address;
    private final Clocks clocks;
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();
    /** Mounts for which the operator's word was used: it is about the masters before this one, not about later ones. */
    private final Set<String> spokenFor = ConcurrentHashMap.newKeySet();

    /** The runs of this process whose epochs got no answer from the store: they may be there, and no master had the mount in them. */
    private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

    private final StoreConditions conditions;

    /**
     * The process that takes mounts.
     *
     * @param instance what tells the tables of this master from all others
     * @param shared whether other masters have these tables, too, and agree which of them is the newest
     * @param start of this process, with which its runs begin
     * @param ended tells whether the process of a run is known to have ended
     */
    public record Owner(String instance, boolean shared, String start, Predicate<String> ended) {}

    /** Those of one master. */
    public TakeOvers(Owner owner, LeaseOptions terms, Supplier<String> address, Clocks clocks) {
        this.owner = owner;
        this.instance = owner.instance();
        this.terms = terms;
        this.address = address;
        this.clocks = clocks;
        this.conditions = new StoreConditions(terms.takeOver());
    }

    /** Another master's lease since it was seen to be as it is. */
    private record Watch(LeaseEpochs.Found found, long since, long lookedAt) {}

    /**
     * A mount that this master holds.
     *
     * @param local whether the table is there; if not, it has to be recovered
     * @param isCurrent whether the table is known to be the newest, whatever is in it
     * @param left how far the table was when it was given up; empty: its master did not say
     * @param isFirst whether no master had the mount before
     */
    public record Held(
            MountLease lease,
            ReadyMount ready,
            boolean local,
            boolean isCurrent,
            Optional<Reached> left,
            boolean isFirst) {
        /** Returns whether the master before may have had changes that it did not upload. */
        public boolean mayHaveMore() {
            return !isFirst && left.isEmpty();
        }
    }

    /** The table of a mount on this disk, if it is there. */
    public interface LocalTable {
        /** Returns the table's owner; empty without a complete table. */
        Optional<ReadyMount> ready() throws IOException;

        /** Returns the table's folder. */
        Path folder();

        /** Opens it for a look. */
        SortedStore open() throws IOException;

        /** Writes down whose it is, or is about to be. */
        void mark(ReadyMount ready) throws IOException;
    }

    /**
     * Takes a mount, with an epoch of its own. So the master of before, and every copy of its table, are found to be older.
     *
     * @throws UnavailableException while another master may hold it, saying which and for how long
     * @throws IllegalArgumentException when the store is another one than before, naming both
     */
    public Held hold(String mount, StoreAddress store, ObjectStore objects, LocalTable table) throws IOException {
        refuseWhileWaiting(mount);
        LeaseEpochs epochs = new LeaseEpochs(objects);
        Optional<ReadyMount> known = table.ready();
        if (known.isEmpty()) {
            return takeOver(mount, epochs, store, conditions.findOrMake(mount, store, objects, instance));
        }
        StoreIdentity identity = identity(mount, known.get(), store, objects, table);
        conditions.check(mount, store, objects, identity);
        long newest = epochs.newestFrom(known.get().leaseEpoch());
        if (newest < known.get().leaseEpoch()) {
            throw otherStore(
                    mount, known.get(), table.folder(), store, "an older state of that store, or a copy of it");
        }
        if (owner.shared()
                && (newest == known.get().leaseEpoch()
                        || isOurs(epochs, known.get().leaseEpoch() + 1, newest))) {
            return next(mount, newest + 1, epochs, MountHolders.ready(newest + 1, store, identity), newRun(), true);
        }
        Optional<LeaseEpochs.Found> found = epochs.read(newest);
        if (!owner.shared() && found.isPresent() && isLast(known.get(), found.get())) {
            return goOn(mount, epochs, found.get(), known.get(), store, identity, table);
        }
        LOG.warn(
                "mount {}: {} took over from epoch {}; the table on this disk is older",
                mount,
                found.map(LeaseEpochs.Found::who).orElse("another master"),
                known.get().leaseEpoch());
        return takeOver(mount, epochs, store, identity);
    }

    /** Returns whether the newest opening of the mount is that of the table on this disk. */
    private boolean isLast(ReadyMount known, LeaseEpochs.Found found) {
        if (found.holder().filter(holder -> known.isOf(holder.run())).isPresent()) {
            return true;
        }
        return known.isWithoutRun()
                && found.leaseEpoch() == known.leaseEpoch()
                && found.holder()
                        .map(holder -> holder.instance().equals(instance))
                        .orElse(true);
    }

    private Held goOn(
            String mount,
            LeaseEpochs epochs,
            LeaseEpochs.Found found,
            ReadyMount known,
            StoreAddress store,
            StoreIdentity identity,
            LocalTable table)
            throws IOException {
        // A version before left no word of its processes, and went on at once.
        if (!known.isWithoutRun()) {
            awaitEndOf(mount, epochs, found);
        }
        String run = newRun();
        // The run that is found may be one of those that were about to take the table; from now on it is the one that
        // has it.
        ReadyMount now = found.holder().map(LeaseHolder::run).map(known::of).orElse(known);
        table.mark(now.before(identity, run));
        Held held = next(
                mount,
                found.leaseEpoch() + 1,
                epochs,
                MountHolders.ready(found.leaseEpoch() + 1, store, identity).of(run),
                run,
                true);
        boolean moved = found.holder()
                .filter(holder -> holder.run().startsWith(MountHolders.MOVE))
                .isPresent();
        return new Held(held.lease(), held.ready(), true, moved, found.holder().flatMap(LeaseHolder::left), false);
    }

    /** Returns whether only owners of this table took the mount in these epochs. */
    private boolean isOurs(LeaseEpochs epochs, long first, long last) throws IOException {
        for (long epoch = first; epoch <= last; epoch++) {
            boolean ours = epochs.read(epoch)
                    .flatMap(LeaseEpochs.Found::holder)
                    .filter(holder -> holder.instance().equals(instance))
                    .isPresent();
            if (!ours) {
                return false;
            }
        }
        return true;
    }

    private Held next(String mount, long epoch, LeaseEpochs epochs, ReadyMount ready, String run, boolean local)
            throws IOException {
        LeaseHolder holder = holder(run);
        epochs.take(epoch, holder);
        MountLease lease = new MountLease(mount, epochs, epoch, holder, clocks.nanos());
        return new Held(lease, ready, local, true, Optional.empty(), false);
    }

    private Held takeOver(String mount, LeaseEpochs epochs, StoreAddress store, StoreIdentity identity)
            throws IOException {
        long newest = epochs.newestFrom(1);
        Optional<LeaseEpochs.Found> before = newest > 0 ? epochs.read(newest) : Optional.empty();
        if (before.isPresent()) {
            awaitEndOf(mount, epochs, before.get());
        }
        long served = newest;
        while (before.flatMap(LeaseEpochs.Found::holder)
                .filter(holder -> unanswered.contains(holder.run()))
                .isPresent()) {
            served--;
            before = served > 0 ? epochs.read(served) : Optional.empty();
        }
        String run = newRun();
        ReadyMount ready = MountHolders.ready(newest + 1, store, identity);
        unanswered.add(run);
        Held held = next(mount, newest + 1, epochs, owner.shared() ? ready : ready.of(run), run, false);
        unanswered.remove(run);
        Optional<Reached> left = before.flatMap(LeaseEpochs.Found::holder).flatMap(LeaseHolder::left);
        return new Held(held.lease(), held.ready(), false, true, left, served == 0);
    }

    /** The identity of the store, when it is the one that the table on this disk is of. */
    private StoreIdentity identity(
            String mount, ReadyMount known, StoreAddress store, ObjectStore objects, LocalTable table)
            throws IOException {
        Optional<StoreIdentity> there = StoreIdentity.find(objects);
        if (known.identity().isPresent()) {
            if (there.isEmpty()) {
                throw otherStore(mount, known, table.folder(), store, "a store without an identity");
            }
            if (!there.get().id().equals(known.identity().get())) {
                throw otherStore(
                        mount,
                        known,
                        table.folder(),
                        store,
                        "the identity " + there.get().id());
            }
            return there.get();
        }
        StoreEvidence evidence;
        try (SortedStore opened = table.open()) {
            evidence = StoreEvidence.of(new StoreRows(opened), objects, table.folder());
        }
        LeaseEpochs epochs = new LeaseEpochs(objects);
        boolean isLast = epochs.newestFrom(known.leaseEpoch()) == known.leaseEpoch();
        boolean nobodyElses = there.isEmpty() || there.get().instance().equals(instance);
        boolean fits = (isLast && nobodyElses) ? evidence.isPossible() : evidence.isShown();
        if (!fits) {
            throw otherStore(
                    mount,
                    known,
                    table.folder(),
                    store,
                    "none of the %d objects of the table that were looked for, and as its last epoch not this master's"
                            .formatted(evidence.wanted()));
        }
        return StoreIdentity.findOrMake(objects, instance);
    }

    private IllegalArgumentException otherStore(
            String mount, ReadyMount known, Path folder, StoreAddress store, String found) {
        return new IllegalArgumentException(
                ("mount %s: the table in %s is of the store %s, epoch %d; at %s there is %s. Nothing was changed."
                                + " Check packing.store and packing.s3.endpoint. If the store was replaced on purpose, move that"
                                + " folder away: then the table is recovered from the store")
                        .formatted(mount, folder, known.store(), known.leaseEpoch(), store, found));
    }

    private void refuseWhileWaiting(String mount) throws UnavailableException {
        Watch watch = watches.get(mount);
        long now = clocks.nanoTime();
        if (watch != null && now - watch.lookedAt < BETWEEN_LOOKS.toNanos()) {
            throw held(mount, watch, now);
        }
    }

    /** Returns when the master that took this epoch is known to be gone. */
    private void awaitEndOf(String mount, LeaseEpochs epochs, LeaseEpochs.Found found) throws IOException {
        Optional<LeaseHolder> holder = found.holder();
        if (holder.filter(this::isOver).isPresent()) {
            watches.remove(mount);
            return;
        }
        if (terms.takeOver() && spokenFor.add(mount)) {
            LOG.warn("mount {}: taken over from {}, as the operator says", mount, found.who());
            watches.remove(mount);
            return;
        }
        if (holder.isEmpty()) {
            throw new UnavailableException(
                    ("mount %s is held by %s. When that master is stopped, restart this one with --take-over"
                                    + " (bdt.take.over=true)")
                            .formatted(mount, found.who()));
        }
        Optional<Long> since = Optional.ofNullable(watches.get(mount))
                .filter(before -> before.found.equals(found))
                .map(Watch::since);
        if (since.isEmpty()) {
            epochs.ask(found.leaseEpoch(), holder.get());
        }
        // After the question is in the store: the holder's next look finds it.
        long now = clocks.nanoTime();
        Watch watch = new Watch(found, since.orElse(now), now);
        if (now - watch.since < holder.get().lease().toNanos()) {
            watches.put(mount, watch);
            throw held(mount, watch, now);
        }
        watches.remove(mount);
        LOG.warn(
                "mount {}: taken over from {}, of which nothing was heard for {}",
                mount,
                found.who(),
                holder.get().lease());
    }

    /** Returns whether the master of an epoch has ended, or never began. */
    private boolean isOver(LeaseHolder holder) {
        boolean own = holder.instance().equals(instance);
        return holder.released()
                || (own && (owner.shared() || holder.run().startsWith(MountHolders.MOVE)))
                || owner.ended().test(holder.run());
    }

    private UnavailableException held(String mount, Watch watch, long now) {
        long lease = watch.found
                .holder()
                .map(LeaseHolder::lease)
                .orElse(Duration.ZERO)
                .toNanos();
        long left = Math.max(0, lease - (now - watch.since));
        return new UnavailableException(
                ("mount %s is held by %s. This master, at %s, takes it over when that one has not been heard of for %d"
                                + " s, in %d s at the earliest. If that master is to go on serving it, name that one; if it is"
                                + " gone for good, restart this one with --take-over (bdt.take.over=true)")
                        .formatted(
                                mount,
                                watch.found.who(),
                                address.get(),
                                Duration.ofNanos(lease).toSeconds(),
                                Duration.ofNanos(left + 999_999_999).toSeconds()));
    }

    /** Returns the text of the epoch that another master makes for this one, with the number of a move. */
    public LeaseHolder offer(long token) {
        return holder(MountHolders.runOf(token));
    }

    private String newRun() {
        return "%s.%s".formatted(owner.start(), UUID.randomUUID());
    }

    private LeaseHolder holder(String run) {
        return new LeaseHolder(address.get(), instance, run, clocks.wall().instant(), terms.length(), 0, false);
    }
}
