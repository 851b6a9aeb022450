package io.packing.bdt.master;

import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Where a master gets its stores from: the local one of a mount, and the backing one that the mount's options name. */
public interface Stores {
    /** Opens or creates the store in a directory. */
    SortedStore sorted(Path directory, SortedStoreConfig config) throws IOException;

    /** Opens the backing store. {@link ObjectStore#location} must identify it. */
    ObjectStore objects(Map<String, String> options) throws IOException;
}
