// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import io.packing.store.ObjectStore;
import io.packing.store.RequestListener;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StoreProvider;
import java.io.IOException;
import java.security.SecureRandom;

/** The opener of stores in Google Cloud Storage. */
public final class GoogleStores implements StoreProvider {
    @Override
    public boolean opens(StoreLocation location) {
        return location instanceof StoreLocation.GoogleBucket;
    }

    @Override
    public ObjectStore open(StoreOptions options, RequestListener listener) throws IOException {
        return open(options, GoogleSettings.ofProcess(), listener);
    }

    static ObjectStore open(StoreOptions options, GoogleSettings settings, RequestListener listener)
            throws IOException {
        StoreLocation.GoogleBucket bucket = bucket(options);
        // Many threads share the generator, and two processes must never make equal tokens.
        GoogleObjectStore store = new GoogleObjectStore(
                GoogleConnection.open(options, settings),
                options,
                bucket,
                listener,
                System::nanoTime,
                Thread::sleep,
                new SecureRandom());
        try {
            store.check();
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    @Override
    public UsedCredentials credentials(StoreOptions options) throws IOException {
        try (GoogleConnection connection = GoogleConnection.open(options, GoogleSettings.ofProcess())) {
            return connection.source().used(options.location());
        }
    }

    private static StoreLocation.GoogleBucket bucket(StoreOptions options) {
        if (options.location() instanceof StoreLocation.GoogleBucket bucket) {
            return bucket;
        }
        throw new IllegalArgumentException("no bucket of Google Cloud Storage: " + options.location());
    }
}
