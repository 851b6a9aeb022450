// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.credentials.AwsSettings;
import io.packing.store.credentials.CredentialsException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** The opener of the store that the options describe. */
public final class ObjectStores {
    private ObjectStores() {}

    /** Opens a store without a meter. */
    public static ObjectStore open(StoreOptions options) throws IOException {
        return open(options, RequestListener.NONE);
    }

    /**
     * Opens a store after a check that it exists and may be used.
     *
     * @throws IOException with the next step: the directory or bucket does not exist, or the credentials are refused
     * @throws StoreUnavailableException when the store does not answer
     */
    public static ObjectStore open(StoreOptions options, RequestListener listener) throws IOException {
        return open(options, AwsSettings.ofProcess(), listener);
    }

    static ObjectStore open(StoreOptions options, AwsSettings settings, RequestListener listener) throws IOException {
        if (options.location() instanceof StoreLocation.Directory directory) {
            return new MeteredObjectStore(LocalObjectStore.open(directory.path()), listener);
        }
        if (options.location() instanceof StoreLocation.Bucket bucket) {
            return openBucket(options, bucket, settings, listener);
        }
        return StoreProvider.of(options.location()).open(options, listener);
    }

    private static ObjectStore openBucket(
            StoreOptions options, StoreLocation.Bucket bucket, AwsSettings settings, RequestListener listener)
            throws IOException {
        S3Connection connection;
        try {
            connection = S3Connection.open(options, settings);
        } catch (CredentialsException e) {
            throw new IOException("%s: %s".formatted(bucket.text(), e.getMessage()), e);
        }
        // Many threads share the generator, and two processes must never make equal tokens.
        S3ObjectStore store = over(connection, options, bucket, listener, new SecureRandom());
        try {
            store.check();
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
        return store;
    }

    /** Returns a store over a connection, which it closes, without a check. */
    static S3ObjectStore over(
            S3Connection connection,
            StoreOptions options,
            StoreLocation.Bucket bucket,
            RequestListener listener,
            RandomGenerator tokens) {
        return new S3ObjectStore(connection, options, bucket, listener, System::nanoTime, Thread::sleep, tokens);
    }
}
