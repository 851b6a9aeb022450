// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.StoreExamination.UsedCredentials;
import java.io.IOException;
import java.util.ServiceLoader;

/** The opener of the stores of one cloud, in a module of its own, which only processes load that use such a store. */
public interface StoreProvider {
    /** Returns whether it opens stores at such locations. */
    boolean opens(StoreLocation location);

    /**
     * Opens a store after a check that it exists and may be used.
     *
     * @throws IOException with the next step: the bucket does not exist, or the credentials are refused
     * @throws StoreUnavailableException when the store does not answer
     */
    ObjectStore open(StoreOptions options, RequestListener listener) throws IOException;

    /**
     * Returns the credentials that this process would use.
     *
     * @throws IOException when they cannot be had, with the next step
     */
    UsedCredentials credentials(StoreOptions options) throws IOException;

    /**
     * Returns the provider for a location.
     *
     * @throws IOException when this process has no module with one
     */
    static StoreProvider of(StoreLocation location) throws IOException {
        // Not by the loader of the thread: inside of another product it has other classes.
        for (StoreProvider each : ServiceLoader.load(StoreProvider.class, StoreProvider.class.getClassLoader())) {
            if (each.opens(location)) {
                return each;
            }
        }
        throw new IOException(
                "%s: this program has no module for such stores; put object-store-clouds on its class path"
                        .formatted(location.text()));
    }
}
