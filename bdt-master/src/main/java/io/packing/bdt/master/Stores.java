// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.table.row.MapForm;
import io.packing.encryption.Keystore;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.store.MeteredObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestListener;
import io.packing.store.StoreAddress;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/** The source of a master's stores: the local one of a mount, and the backing one that the mount's options name. */
public interface Stores {
    /** Opens or creates the store in a directory. */
    SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException;

    /**
     * Returns the store's address by the options.
     *
     * @throws IllegalArgumentException when they are malformed, or lead to a store that the master may not use
     */
    default StoreAddress address(Map<String, String> options) throws IOException {
        return StoreAddress.of(StoreOptions.from(options));
    }

    /** Opens the backing store of a mount, at the {@link #address} of its options. */
    ObjectStore objects(Map<String, String> options) throws IOException;

    /** Returns the keys of encrypted mounts. */
    default Keystore keystore() {
        return Keystore.NONE;
    }

    /** Returns which maps of files the tables have in rows. */
    default MapForm maps() {
        return MapForm.USUAL;
    }

    /** Opens the backing store, and informs a listener of every request. */
    default ObjectStore objects(Map<String, String> options, RequestListener listener) throws IOException {
        return new MeteredObjectStore(objects(options), listener);
    }

    /**
     * The real ones: LevelDB or RocksDB, and the kinds of location that {@code packing.store} may name.
     *
     * @param allowed no other is opened; asked each time
     * @param access with the master's own credentials and way, which it uses instead of what mounts bring, and its keystore
     */
    static Stores standard(Supplier<AllowedStores> allowed, AccessOptions access) throws IOException {
        StoreAccess store = access.store();
        Keystore keystore = access.keystore().open();
        return new Stores() {
            @Override
            public Keystore keystore() {
                return keystore;
            }

            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                return SortedStores.open(directory, config);
            }

            @Override
            public StoreAddress address(Map<String, String> options) throws IOException {
                StoreAddress address = Stores.super.address(options);
                allowed.get().check(address);
                return address;
            }

            @Override
            public ObjectStore objects(Map<String, String> options) throws IOException {
                return objects(options, RequestListener.NONE);
            }

            @Override
            public ObjectStore objects(Map<String, String> options, RequestListener listener) throws IOException {
                // By the path that was checked: a link on the way to it may lead elsewhere by now.
                StoreLocation checked = address(options).location();
                return ObjectStores.open(StoreOptions.from(store.in(options)).at(checked), listener);
            }
        };
    }
}
