// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import io.packing.store.ObjectStore;
import io.packing.store.RequestListener;
import io.packing.store.StoreExamination.UsedCredentials;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StoreProvider;
import java.io.IOException;
import java.security.SecureRandom;

/** The opener of stores in Azure Blob Storage. */
public final class AzureStores implements StoreProvider {
    @Override
    public boolean opens(StoreLocation location) {
        return location instanceof StoreLocation.AzureContainer;
    }

    @Override
    public ObjectStore open(StoreOptions options, RequestListener listener) throws IOException {
        return open(options, AzureSettings.ofProcess(), listener);
    }

    static ObjectStore open(StoreOptions options, AzureSettings settings, RequestListener listener) throws IOException {
        StoreLocation.AzureContainer container = container(options);
        // Many threads share the generator, and two processes must never make equal tokens.
        AzureObjectStore store = new AzureObjectStore(
                AzureConnection.open(options, container, settings),
                options,
                container,
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
        try (AzureConnection connection =
                AzureConnection.open(options, container(options), AzureSettings.ofProcess())) {
            return connection.source().used();
        }
    }

    private static StoreLocation.AzureContainer container(StoreOptions options) {
        if (options.location() instanceof StoreLocation.AzureContainer container) {
            return container;
        }
        throw new IllegalArgumentException("no container of Azure: " + options.location());
    }
}
