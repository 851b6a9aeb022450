// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.MountHomes;
import io.packing.bdt.master.cloud.HomesRecord;
import io.packing.bdt.master.cloud.MountHolders;
import io.packing.bdt.master.cloud.MountPlaces;
import io.packing.bdt.master.cloud.StoreIdentity;
import io.packing.bdt.master.rpc.KnownMounts;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.spans.Spans;
import io.packing.store.HomesStore;
import io.packing.store.ObjectStore;
import io.packing.store.RequestMeter;
import io.packing.store.SpannedObjectStore;
import io.packing.store.StoreAddress;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;

/** The search for the stores of mounts, of which some were evacuated (RFC 0023). Thread-safe. */
final class PlaceFinder {
    private final Stores stores;
    private final MountTables tables;
    private final KnownMounts known;
    private final Spans spans;

    PlaceFinder(Stores stores, MountTables tables, KnownMounts known, Spans spans) {
        this.stores = stores;
        this.tables = tables;
        this.known = known;
        this.spans = spans;
    }

    /** Checks what a caller asks for; a mount that this master evacuated is found by its places of before, too. */
    MountRequest check(OpenCall call) throws IOException {
        Optional<StoreAddress> named = StoreAddresses.of(call.options());
        if (named.isPresent()) {
            StoreAddress address = named.get();
            Optional<KnownMounts.Evacuated> moved =
                    known.evacuated(DataDirectory.mountId(address.location().text()), address.text());
            if (moved.isPresent()) {
                OpenCall there = new OpenCall(
                        MountHomes.at(call.options(), moved.get().place()),
                        call.mayMake(),
                        call.again(),
                        call.create(),
                        call.mount());
                return MountRequest.of(there, stores)
                        .at(moved.get().id(), moved.get().place(), stores);
            }
        }
        return MountRequest.of(call, stores);
    }

    /** Returns the request for the place that the mount has now, as far as this master knows. */
    MountRequest present(MountRequest request) throws IOException {
        Optional<KnownMounts.Evacuated> moved =
                known.evacuated(request.id(), request.address().text());
        return moved.isPresent() ? request.at(moved.get().id(), moved.get().place(), stores) : request;
    }

    /**
     * Returns the request by the name that the mount has, when only its store says so: it was evacuated, and the master of that time lost its
     * disk. Only for callers who may make mounts, since a writer of a store could give a mount the name of another one.
     */
    MountRequest called(MountRequest request) throws IOException {
        try {
            boolean isKnown = !request.mayMake() || tables.ready(request.id()).isPresent() || known.knows(request.id());
            return isKnown ? request : asked(request);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // Another thread may move the folder of the table just now. The opening has its turn, and says what fails
            // then.
            return request;
        }
    }

    private MountRequest asked(MountRequest request) throws IOException {
        try (ObjectStore objects = stores.objects(request.raw())) {
            Optional<HomesRecord> record = HomesRecord.find(objects);
            if (record.isEmpty()) {
                return request;
            }
            StoreAddress first = StoreAddress.of(
                    StoreOptions.from(Map.of("packing.store", record.get().called())));
            String id = DataDirectory.mountId(first.location().text());
            if (id.equals(request.id()) || !isFirst(request, record.get())) {
                return request;
            }
            checkLeft(request, record.get());
            return request.at(id, MountHomes.of(request.raw()), stores);
        }
    }

    /** Refuses a store that takes the name of a mount which has not gone from its own. */
    private void checkLeft(MountRequest request, HomesRecord record) throws IOException {
        Map<String, String> first = MountHomes.at(request.raw(), Map.of("packing.store", record.called()));
        boolean isThere;
        try (ObjectStore objects = stores.objects(first)) {
            Optional<HomesRecord> left = HomesRecord.find(objects);
            isThere = StoreIdentity.find(objects).isPresent()
                    && (left.isEmpty()
                            || !MountHolders.isLeft(objects, left.get().token()));
        } catch (IOException | IllegalArgumentException e) {
            // The bucket of before may be gone, or forbidden by now.
            return;
        }
        if (isThere) {
            throw new IllegalArgumentException(
                    "%s says that it is the mount of %s, and that mount has not gone from there"
                            .formatted(request.address(), record.called()));
        }
    }

    private boolean isFirst(MountRequest request, HomesRecord record) throws IOException {
        return stores.address(MountHomes.at(request.raw(), record.places().get(0)))
                .equals(request.address());
    }

    /**
     * Opens the stores of a mount.
     *
     * @throws EvacuatedException when the mount went to another store
     * @throws IllegalArgumentException when an evacuation to this store was begun, and did not take place
     */
    MountPlaces open(MountRequest request, RequestMeter meter) throws IOException {
        Map<String, String> place = MountHomes.of(request.raw());
        HomesStore objects = new HomesStore(
                place,
                metered(request.raw(), meter),
                other -> metered(MountHomes.at(request.raw(), other), meter),
                HomesStore.Teller.NONE);
        try {
            return new MountPlaces(objects, admitted(request, objects));
        } catch (IOException | RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    private ObjectStore metered(Map<String, String> raw, RequestMeter meter) throws IOException {
        return SpannedObjectStore.of(stores.objects(raw, meter), spans);
    }

    private HomesRecord admitted(MountRequest request, HomesStore objects) throws IOException {
        Optional<HomesRecord> found = HomesRecord.find(objects);
        if (found.isEmpty()) {
            return HomesRecord.first(
                    request.location().strip(),
                    MountHomes.of(request.raw()),
                    request.address().text());
        }
        HomesRecord record = found.get();
        if (!isFirst(request, record)) {
            if (MountHolders.isLeft(objects, record.token())) {
                throw new EvacuatedException(request.address().text(), record);
            }
            return taken(objects, record.stayed());
        }
        if (record.isEvacuating()
                && !MountHolders.isLeft(objects.at(record.places().get(1)), record.token())) {
            throw new IllegalArgumentException(
                    ("no mount is at %s: an evacuation from %s to here was begun, and did not take place. Name that in packing.store, and"
                                    + " repeat `packing mounts evacuate`")
                            .formatted(request.address(), record.places().get(1).getOrDefault("packing.store", "")));
        }
        return taken(objects, record);
    }

    private static HomesRecord taken(HomesStore objects, HomesRecord record) throws IOException {
        objects.take(record.homes());
        return record;
    }
}
