// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.HomesRecord;
import io.packing.bdt.master.cloud.MountHolders;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountLease;
import io.packing.bdt.master.cloud.MountPlaces;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.cloud.Recovery;
import io.packing.bdt.master.cloud.RecoveryProgress;
import io.packing.bdt.master.cloud.SpannedWork;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.rpc.KnownMounts;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.operation.SharedOptionsOperations;
import io.packing.bdt.master.table.row.Undone;
import io.packing.encryption.KeyUnavailableException;
import io.packing.sorted.SortedStore;
import io.packing.spans.Spans;
import io.packing.store.MissingStoreException;
import io.packing.store.ObjectStore;
import io.packing.store.RequestMeter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens mounts: from the tables that this master has, or from the backing store when it has none. */
final class MountOpener {
    private static final Logger LOG = LoggerFactory.getLogger(MountOpener.class);
    /** The bytes that an opening may write: tables from the logs of the last process. */
    private static final long SPACE_TO_OPEN_BYTES = 4L * BdtMasterOptions.WRITE_BUFFER_BYTES;

    private final Stores stores;
    private final MountTables tables;
    private final TakeOvers takeOvers;
    private final Clocks clocks;
    private final Spans spans;
    private final MountMaking making;
    private final MountWiring wiring;
    private final KnownMounts known;
    private final PlaceFinder finder;

    MountOpener(
            BdtMasterOptions config,
            Stores stores,
            MountTables tables,
            TakeOvers takeOvers,
            Clocks clocks,
            Spans spans,
            KnownMounts known) {
        this.stores = stores;
        this.tables = tables;
        this.takeOvers = takeOvers;
        this.clocks = clocks;
        this.spans = spans;
        this.making = new MountMaking(stores, tables, clocks.nanos());
        this.wiring = new MountWiring(config, stores, clocks, spans);
        this.known = known;
        this.finder = new PlaceFinder(stores, tables, known, spans);
    }

    PlaceFinder finder() {
        return finder;
    }

    KnownMounts known() {
        return known;
    }

    /** Checks what a caller asks for. */
    MountRequest check(OpenCall call) throws IOException {
        return finder.check(call);
    }

    /** Opens a mount that waits to be started, or stepped; the caller closes it. */
    Mount open(MountRequest request, MountDrive drive, RecoveryProgress progress) throws IOException {
        try {
            return openAt(finder.present(request), drive, progress);
        } catch (EvacuatedException e) {
            if (tables.ready(request.id()).isEmpty()) {
                throw e;
            }
            // The master of the table was ended between the epoch that gave the mount away and the note of it.
            noteEvacuated(request, e.homes());
            return openAt(finder.present(request), drive, progress);
        }
    }

    private void noteEvacuated(MountRequest request, HomesRecord homes) throws IOException {
        known.evacuated(request.id(), request.raw(), homes.places().get(0), homes.aliases());
    }

    private Mount openAt(MountRequest request, MountDrive drive, RecoveryProgress progress) throws IOException {
        known.checkName(request.id(), request.call());
        RequestMeter meter = new RequestMeter();
        MountPlaces places = places(request, meter);
        try {
            Mount opened =
                    open(new MountWiring.Asked(request, places, meter, tables.folder(request.id()), drive), progress);
            known.note(request.id(), request.call(), true);
            if (places.record().number() > 0) {
                noteEvacuated(request, places.record());
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            places.objects().close();
            throw e;
        }
    }

    private MountPlaces places(MountRequest request, RequestMeter meter) throws IOException {
        try {
            return finder.open(request, meter);
        } catch (MissingStoreException e) {
            throw making.missing(request, e);
        } catch (IllegalArgumentException e) {
            if (making.isHidden(request)) {
                throw MountMaking.none(request);
            }
            throw e;
        }
    }

    /**
     * Makes sure that the options of a mount that is open lead to the store that it has, and notes the store if it is not known yet.
     *
     * @throws IllegalArgumentException naming both
     */
    void checkSame(MountRequest request, Mount open) throws IOException {
        if (request.address().equals(open.address())) {
            known.note(request.id(), request.call(), false);
            return;
        }
        // A store may have several names; the lease that this master renews is in one store only.
        try (ObjectStore other = stores.objects(request.raw())) {
            if (open.lease().isIn(other)) {
                return;
            }
            throw new IllegalArgumentException(
                    ("mount %s is open at %s, and these options lead to another store, %s, with %s. Name the first"
                                    + " one's endpoint in packing.s3.endpoint, or ask a BDT master of its own for the other store")
                            .formatted(
                                    open.id(),
                                    open.address(),
                                    request.address(),
                                    StoreIdentity.find(other)
                                            .map(identity -> "the identity " + identity.id())
                                            .orElse("no identity")));
        }
    }

    private Mount open(MountWiring.Asked asked, RecoveryProgress progress) throws IOException {
        MountRequest request = asked.request();
        String id = request.id();
        tables.rename(DataDirectory.mountId(request.location()), id);
        making.check(request, asked.objects());
        progress.phase("waits for the mount's lease", RecoveryProgress.UNKNOWN);
        // The lease is at the first home only.
        ObjectStore first = asked.places().objects().first();
        TakeOvers.Held held = takeOvers.hold(id, request.address(), first, new LocalTable(id));
        MountLease lease = held.lease();
        asked.drive().keep(lease);
        boolean here = held.local();
        try {
            if (here) {
                progress.phase("opens the table", RecoveryProgress.UNKNOWN);
                tables.hold(id, held.ready());
            } else {
                recover(asked, held, progress);
                here = true;
            }
            BatchStore batches = tables.open(id, asked.isSynced());
            progress.phase("compares the table with the store", RecoveryProgress.UNKNOWN);
            TableStart start = new TableStart(id, batches);
            Optional<String> older = goOn(start, held, asked.objects(), batches);
            if (older.isPresent()) {
                LOG.error(
                        "mount {}: {}. It is an older copy, and is set aside; the mount is recovered from its store",
                        id,
                        older.get());
                recover(asked, held, progress);
                return wiring.wire(asked, lease, tables.open(id, asked.isSynced()));
            }
            Mount mount = wiring.wire(asked, lease, batches);
            start.first().forEach(mount::doFirst);
            return mount;
        } catch (IOException | RuntimeException e) {
            lease.stop();
            if (!here) {
                leave(lease, e);
            }
            throw e;
        }
    }

    /** Returns why a table is an older copy, with the table closed; empty: it goes on. */
    private Optional<String> goOn(TableStart start, TakeOvers.Held held, ObjectStore objects, BatchStore batches)
            throws IOException {
        try {
            Optional<String> older = start.goOn(held, objects, stores.keystore());
            if (older.isPresent()) {
                batches.close();
            }
            return older;
        } catch (IOException | RuntimeException e) {
            batches.close();
            throw e;
        }
    }

    private void recover(MountWiring.Asked asked, TakeOvers.Held held, RecoveryProgress progress) throws IOException {
        MountRequest request = asked.request();
        String id = request.id();
        tables.recover(id, held.ready(), fresh -> {
            Recovery recovery = new Recovery(
                    id,
                    asked.objects(),
                    fresh,
                    asked.folder(),
                    clocks.wall(),
                    progress,
                    stores.keystore(),
                    stores.maps());
            boolean unused = SpannedWork.run(spans, "recovery", span -> {
                recovery.run(held.lease().leaseEpoch());
                return true;
            });
            if (held.mayHaveMore()) {
                Undone undone = new Undone(clocks.wall().instant());
                LOG.warn("mount {}: {}", id, undone);
                undone.write(fresh);
            }
            if (request.mayMake()) {
                SharedOptionsOperations.make(fresh, request.terms());
            }
            held.lease().check();
            progress.phase("opens the table", RecoveryProgress.UNKNOWN);
        });
    }

    /** Releases the lease of a mount that failed to open, so that the next master need not wait for the lease to end. */
    private static void leave(MountLease lease, Exception failure) {
        try {
            lease.release(Optional.empty());
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** The table of a mount, as it is now. */
    private final class LocalTable implements TakeOvers.LocalTable {
        private final String id;

        private LocalTable(String id) {
            this.id = id;
        }

        @Override
        public Optional<ReadyMount> ready() throws IOException {
            return tables.ready(id);
        }

        @Override
        public Path folder() {
            return tables.folder(id);
        }

        @Override
        public SortedStore open() throws IOException {
            return tables.look(id);
        }

        @Override
        public void mark(ReadyMount ready) throws IOException {
            tables.hold(id, ready);
        }
    }

    /** Returns whether the holder took the newest epoch of a mount. */
    boolean isHeldBy(MountRequest request, String holder) throws IOException {
        try (ObjectStore objects = stores.objects(request.raw())) {
            return MountHolders.newest(objects)
                    .filter(newest -> newest.instance().equals(holder))
                    .isPresent();
        }
    }

    /** Lets a store pass that has no other mount's above or below it. */
    void checkApart(MountRequest request, ObjectStore objects) throws IOException {
        making.checkApart(request, objects);
    }

    /** The name of a mount's store, if it has one. */
    Optional<StoreIdentity> identity(MountRequest request) throws IOException {
        try (ObjectStore objects = stores.objects(request.raw())) {
            return StoreIdentity.find(objects);
        }
    }

    /**
     * Checks that this master can read data encrypted by a key.
     *
     * @throws IllegalArgumentException saying what to do
     */
    void checkKey(String name) throws IOException {
        if (name.isEmpty()) {
            return;
        }
        try {
            new MountKeys(stores.keystore(), clocks.nanos()).use(name);
        } catch (KeyUnavailableException e) {
            throw new IllegalArgumentException(
                    "the mount is encrypted, and the masters of this group need its key: %s".formatted(e.getMessage()),
                    e);
        }
    }

    /** Makes a table that came with a move that of the mount, if the epoch is that of the move. */
    void takeReceived(MountRequest request) throws IOException {
        Optional<Long> token = tables.receiving(request.id());
        if (token.isEmpty()) {
            return;
        }
        try (ObjectStore objects = stores.objects(request.raw())) {
            Optional<ReadyMount> arrived =
                    MountHolders.arrived(request.address(), objects, tables.holder(), token.get());
            if (arrived.isPresent()) {
                tables.takeReceived(request.id(), token.get(), arrived.get());
            }
        }
    }

    /** Returns whether the disk has room to open a mount anew. */
    boolean hasSpaceToOpen(Mount stopped) throws IOException {
        return wiring.spareBytes(stopped.writer().keptFreeBytes()) >= SPACE_TO_OPEN_BYTES;
    }
}
