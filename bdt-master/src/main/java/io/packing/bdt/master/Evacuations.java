// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Evacuation;
import io.packing.bdt.MountHomes;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.master.cloud.HomesRecord;
import io.packing.bdt.master.cloud.LeaseHolder;
import io.packing.bdt.master.cloud.MasterObject;
import io.packing.bdt.master.cloud.MountHolders;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.table.Clocks;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beginnings of evacuations (RFC 0023): the moment from which on a mount is at another store. The next epoch in the store of before
 * decides: it says that the mount has gone. Thread-safe.
 */
final class Evacuations {
    private static final Logger LOG = LoggerFactory.getLogger(Evacuations.class);
    private static final int PAGE = 1_000;
    /** A target is tried with an object of this key. */
    private static final String TRIAL = "bdt/trial";

    /** A point of a switch, at which tests may end the master. */
    enum Point {
        CHECKED,
        PREPARED,
        MARKED,
        SWITCHED
    }

    private final OpenMounts mounts;
    private final MountOpener opener;
    private final MountTables tables;
    private final TakeOvers takeOvers;
    private final Stores stores;
    private final Clocks clocks;
    private final boolean spread;
    private volatile Consumer<Point> points = point -> {};

    /** @param spread whether several groups of masters have mounts */
    Evacuations(
            OpenMounts mounts,
            MountOpener opener,
            MountTables tables,
            TakeOvers takeOvers,
            Stores stores,
            Clocks clocks,
            boolean spread) {
        this.mounts = mounts;
        this.opener = opener;
        this.tables = tables;
        this.takeOvers = takeOvers;
        this.stores = stores;
        this.clocks = clocks;
        this.spread = spread;
    }

    /** Calls a consumer at each point of each switch. For tests. */
    void at(Consumer<Point> other) {
        points = other;
    }

    /**
     * Begins an evacuation, if it is not under way, and returns its progress.
     *
     * @param id the mount's name
     * @param to options that lead to the new store
     * @param abort whether the blobs go back to the store that they come from
     * @param bytesPerSecond the most that this master copies; 0: no limit
     * @throws IllegalArgumentException saying why not; then nothing has changed
     */
    Evacuation evacuate(String id, Map<String, String> to, boolean abort, long bytesPerSecond) throws IOException {
        if (spread) {
            throw new IllegalArgumentException(
                    "mounts that are spread over groups of masters are not evacuated: their names are their stores");
        }
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("%d bytes a second; want 0 or more".formatted(bytesPerSecond));
        }
        Mount mount = mounts.mount(id);
        HomesRecord now = mount.places().record();
        if (abort && !now.isEvacuating()) {
            throw new IllegalArgumentException("no evacuation of mount %s is under way".formatted(id));
        }
        Map<String, String> place = abort ? now.places().get(1) : MountHomes.of(to);
        if (place.getOrDefault("packing.store", "").isBlank()) {
            throw new IllegalArgumentException(
                    "--to is missing: where the blobs are to be, such as s3://bucket/prefix");
        }
        Switch next = new Switch(place, bytesPerSecond);
        if (next.isThere(mount)) {
            return mount.upkeep()
                    .evacuation()
                    .progress()
                    .orElseThrow(() ->
                            new IllegalArgumentException("mount %s is at %s already".formatted(id, mount.address())));
        }
        mounts.reopen(mount, next);
        return mounts.mount(id)
                .upkeep()
                .evacuation()
                .progress()
                .orElseThrow(() -> new UnavailableException("mount %s stays at %s: %s"
                        .formatted(
                                id,
                                mount.address(),
                                next.failure.map(IOException::getMessage).orElse("its evacuation ended"))));
    }

    /** The switch of a mount to another place, where it is opened anew. */
    private final class Switch implements Relocation {
        private final Map<String, String> place;
        private final long rate;
        private Optional<IOException> failure = Optional.empty();

        private Switch(Map<String, String> place, long rate) {
            this.place = place;
            this.rate = rate;
        }

        private boolean isThere(Mount mount) throws IOException {
            Map<String, String> now = mount.places().record().places().get(0);
            return now.equals(place) || StoreAddresses.of(place).equals(Optional.of(mount.address()));
        }

        @Override
        public MountRequest next(Mount mount, MountRequest request) throws IOException {
            if (mount.upkeep().uploader().isHeldBack()) {
                throw new IllegalArgumentException(
                        "mount %s is not backed up until an operator accepts what a recovery could not read: packing mounts accept"
                                .formatted(mount.id()));
            }
            ReadyMount ready = tables.ready(mount.id())
                    .orElseThrow(() -> new IllegalStateException("mount %s has no table".formatted(mount.id())));
            MountRequest there = request.at(request.id(), place, stores);
            HomesRecord before = mount.places().record();
            long token = UUID.randomUUID().getMostSignificantBits() >>> 1;
            HomesRecord next = before.toward(place, there.address().text(), token, micros(), rate);
            LeaseHolder gone = takeOvers.offer(token);
            ObjectStore from = mount.places().objects().first();
            StoreIdentity identity = StoreIdentity.find(from)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the store of mount %s has no identity; open the mount anew".formatted(mount.id())));
            try (ObjectStore target = stores.objects(there.raw())) {
                if (!isBack(before, request, there)) {
                    checkTarget(mount, there, target, identity);
                }
                if (!identity.giveTo(target)) {
                    throw new IllegalArgumentException(
                            ("mount %s stays at %s: the store %s ignores the condition of a PUT (If-None-Match: *), by which masters keep"
                                            + " each other from a mount. Take another store")
                                    .formatted(mount.id(), mount.address(), there.address()));
                }
                points.accept(Point.CHECKED);
                next.write(target);
                MountHolders.announce(target, mount.lease().leaseEpoch() + 1, gone);
            }
            next.write(from);
            points.accept(Point.PREPARED);
            // Before the epoch: a master that is ended after it knows that the table is the newest.
            tables.hold(mount.id(), ready.before(identity, gone.run()));
            points.accept(Point.MARKED);
            mount.upkeep().uploadJournalNow();
            try {
                handOver(mount, gone);
            } catch (IOException e) {
                // The store knows whether it was done: the opening where the mount was finds out.
                failure = Optional.of(e);
                LOG.warn(
                        "mount {}: whether it goes to {} is not known yet: {}",
                        mount.id(),
                        there.address(),
                        e.toString());
                return request;
            }
            points.accept(Point.SWITCHED);
            LOG.info("mount {} goes from {} to {}", mount.id(), mount.address(), there.address());
            note(mount.id(), request, next);
            return there;
        }

        /** Writes the epoch by which the mount goes. Changes wait, and are repeated when it is open again. */
        private void handOver(Mount mount, LeaseHolder gone) throws IOException {
            UnavailableException why =
                    new UnavailableException("mount %s is being opened at another store".formatted(mount.id()));
            try {
                mount.writer().freeze();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UnavailableException("interrupted", e);
            }
            try {
                mount.upkeep().uploader().barrier().end(why);
                mount.lease().handOver(gone);
            } finally {
                mount.writer().stop(why);
                mount.writer().thaw();
            }
        }

        private void note(String id, MountRequest request, HomesRecord next) {
            try {
                opener.known().evacuated(id, request.raw(), place, next.aliases());
            } catch (IOException e) {
                // The next opening finds the epoch, and notes it.
                LOG.warn("mount {}: its new place is not noted now: {}", id, e.toString());
            }
        }

        /** Returns whether the mount goes back to the store that it comes from. */
        private boolean isBack(HomesRecord before, MountRequest request, MountRequest there) throws IOException {
            return before.isEvacuating()
                    && stores.address(
                                    MountHomes.at(request.raw(), before.places().get(1)))
                            .equals(there.address());
        }
    }

    private long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clocks.wall().instant());
    }

    private void checkTarget(Mount mount, MountRequest there, ObjectStore target, StoreIdentity identity)
            throws IOException {
        StoreAddress from = mount.address();
        if (there.address().isWithin(from) || from.isWithin(there.address())) {
            throw new IllegalArgumentException("mount %s stays at %s: %s is a part of it, or the other way round"
                    .formatted(mount.id(), from, there.address()));
        }
        Optional<StoreIdentity> has = StoreIdentity.find(target);
        if (has.isPresent() && !has.get().equals(identity)) {
            throw new IllegalArgumentException("mount %s stays at %s: %s is the store of another mount"
                    .formatted(mount.id(), from, there.address()));
        }
        opener.checkApart(there, target);
        // What an earlier try left is no mount's; everything else may be.
        Optional<String> other = target.list("", "", PAGE).stream()
                .map(ObjectInfo::key)
                .filter(key -> !isLeftover(key))
                .findFirst();
        if (other.isPresent()) {
            throw new IllegalArgumentException("mount %s stays at %s: %s is not empty, it has %s. Take an empty prefix"
                    .formatted(mount.id(), from, there.address(), other.get()));
        }
        tryRights(target);
    }

    private static boolean isLeftover(String key) {
        return key.equals(StoreIdentity.KEY)
                || key.equals(HomesRecord.KEY)
                || key.equals(TRIAL)
                || MasterObject.isEpoch(key);
    }

    /** Writes, reads and deletes an object, so that the command fails for a missing right before anything has changed. */
    private static void tryRights(ObjectStore target) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap("trial".getBytes(StandardCharsets.US_ASCII));
        target.put(TRIAL, bytes.duplicate(), PutCondition.NONE);
        if (!target.getTail(TRIAL, bytes.remaining()).equals(bytes)) {
            throw new IOException("%s answers other bytes than were written".formatted(target.location()));
        }
        target.delete(List.of(TRIAL));
    }
}
