// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.MountHomes;
import io.packing.store.Homes;
import io.packing.store.HomesStore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The stores of mounts as processes open them that ask the master where the blobs are (RFC 0023). */
public final class PlacedStores {
    private PlacedStores() {}

    /** The source of stores. */
    public interface Opener {
        ObjectStore open(StoreOptions options) throws IOException;
    }

    /** Opens the store of a mount, at the place that the master tells, or else at the one that the options name. */
    public static HomesStore open(BdtLookups bdt, MountOptions options, Opener opener) throws IOException {
        HomesStore.Opener places = place -> opener.open(at(options, place));
        MountHomes told = bdt.homes(false);
        Map<String, String> first =
                told.isUsual() ? MountHomes.of(options.raw()) : told.places().get(0);
        HomesStore store = new HomesStore(first, places.open(first), places, () -> homes(bdt.homes(true)));
        try {
            take(store, told);
            return store;
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Has a store take the places that the master told. */
    public static void take(HomesStore store, MountHomes told) throws IOException {
        Optional<Homes> homes = homes(told);
        if (homes.isPresent()) {
            store.take(homes.get());
        }
    }

    private static Optional<Homes> homes(MountHomes told) {
        return told.isUsual()
                ? Optional.empty()
                : Optional.of(new Homes(told.number(), told.sinceMicros(), told.places()));
    }

    private static StoreOptions at(MountOptions options, Map<String, String> place) {
        return place.equals(MountHomes.of(options.raw()))
                ? options.store()
                : StoreOptions.from(MountHomes.at(options.raw(), place));
    }
}
