package io.packing.store;

import java.io.IOException;

/** Opens the store that the options describe. */
public final class ObjectStores {
    private ObjectStores() {}

    /** Opens a store that nobody meters. */
    public static ObjectStore open(StoreOptions options) throws IOException {
        return open(options, RequestListener.NONE);
    }

    /**
     * Opens a store after making sure that it is there and may be used.
     *
     * @throws IOException saying what to do: the directory or bucket does not exist, or the credentials are refused
     * @throws StoreUnavailableException when the store does not answer
     */
    public static ObjectStore open(StoreOptions options, RequestListener listener) throws IOException {
        if (options.location() instanceof StoreLocation.Directory directory) {
            return new MeteredObjectStore(LocalObjectStore.open(directory.path()), listener);
        }
        throw new IOException("unsupported location " + options.location().text());
    }
}
