package io.packing.bdt.master;

import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.sorted.SortedStores;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestListener;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Where a master gets its stores from: the local one of a mount, and the backing one that the mount's options name. */
public interface Stores {
    /** Opens or creates the store in a directory. */
    SortedStore sorted(Path directory, SortedStoreConfig config) throws IOException;

    /** Opens the backing store of a mount. */
    ObjectStore objects(Map<String, String> options) throws IOException;

    /**
     * The real ones: LevelDB or RocksDB, and the kinds of location that {@code packing.store} may name.
     *
     * @param listener learns of every request to the backing stores
     */
    static Stores standard(RequestListener listener) {
        return new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreConfig config) throws IOException {
                return SortedStores.open(directory, config);
            }

            @Override
            public ObjectStore objects(Map<String, String> options) throws IOException {
                return ObjectStores.open(StoreOptions.from(options), listener);
            }
        };
    }
}
