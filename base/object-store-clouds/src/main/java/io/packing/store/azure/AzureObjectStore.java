// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import io.packing.store.Attempts;
import io.packing.store.CloudObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeyspace;
import io.packing.store.ObjectReads;
import io.packing.store.Pause;
import io.packing.store.PutCondition;
import io.packing.store.RequestListener;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import io.packing.store.UploadSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** An object store in a container of Azure Blob Storage. */
final class AzureObjectStore extends CloudObjectStore {
    /** The largest Put Blob, and the largest block is smaller. */
    private static final long MOST_OF_A_PUT = 4_000L << 20;

    private final AzureConnection connection;
    private final StoreLocation.AzureContainer location;
    private final long putSingleMax;
    private final Attempts attempts;
    private final AzureCalls calls;
    private final AzureKeyspace keyspace;
    private final AzureUploads uploads;
    private final AzureDownloads downloads;

    /**
     * @param connection closed with this store
     * @param random safe to use from many threads
     */
    AzureObjectStore(
            AzureConnection connection,
            StoreOptions options,
            StoreLocation.AzureContainer location,
            RequestListener listener,
            LongSupplier nanoClock,
            Pause pause,
            RandomGenerator random) {
        super(location.text(), location.keyPrefix());
        this.connection = connection;
        this.location = location;
        this.putSingleMax = Math.min(MOST_OF_A_PUT, options.putSingleMax());
        this.attempts = new Attempts(location.text(), listener, nanoClock, pause, random);
        AzureErrors errors = new AzureErrors(location, connection.source());
        this.calls = new AzureCalls(attempts, errors, options.retryTimeout());
        this.keyspace = new AzureKeyspace(connection.client(), location.keyPrefix(), calls);
        this.uploads = new AzureUploads(connection.client(), putSingleMax, calls, keyspace, random);
        this.downloads = new AzureDownloads(connection.client(), calls, keyspace);
    }

    /** Makes sure that the container exists and the credentials may list it, with one request. */
    void check() throws IOException {
        new AzureKeyspace(connection.client(), location.keyPrefix(), calls.within(OPEN_TIMEOUT)).look();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        uploads.put(full(key), UploadSource.of(file), Files.size(file), crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        // A copy cannot change during the request.
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        uploads.put(full(key), copy, condition);
    }

    @Override
    public boolean takesStream(long length) {
        return length <= putSingleMax;
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        if (!takesStream(body.length())) {
            throw new UntrustedStreamException(
                    "a stream of %,d bytes is more than one request takes".formatted(body.length()));
        }
        uploads.put(full(key), body, condition);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return keyspace.attributes(full(key))
                .map(found -> new ObjectInfo(key, found.length(), found.tag(), found.modified()));
    }

    @Override
    protected ObjectReads reads() {
        return downloads;
    }

    @Override
    protected ObjectKeyspace keyspace() {
        return keyspace;
    }

    @Override
    public void close() {
        attempts.close();
        connection.close();
    }
}
