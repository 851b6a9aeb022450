// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import io.packing.store.Attempts;
import io.packing.store.CloudObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeyspace;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectReads;
import io.packing.store.ObjectStore;
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
import java.util.zip.CRC32C;

/** An object store in a bucket of Google Cloud Storage. */
final class GoogleObjectStore extends CloudObjectStore {
    private final GoogleConnection connection;
    private final StoreLocation.GoogleBucket location;
    private final long putSingleMax;
    private final Attempts attempts;
    private final GoogleErrors errors;
    private final GoogleCalls calls;
    private final GoogleKeyspace keyspace;
    private final GoogleUploads uploads;
    private final GoogleParts parts;
    private final GoogleDownloads downloads;
    private final GoogleCopies copies;

    /**
     * @param connection closed with this store
     * @param random safe to use from many threads
     */
    GoogleObjectStore(
            GoogleConnection connection,
            StoreOptions options,
            StoreLocation.GoogleBucket location,
            RequestListener listener,
            LongSupplier nanoClock,
            Pause pause,
            RandomGenerator random) {
        super(location.text(), location.keyPrefix());
        this.connection = connection;
        this.location = location;
        this.putSingleMax = options.putSingleMax();
        this.attempts = new Attempts(location.text(), listener, nanoClock, pause, random);
        this.errors = new GoogleErrors(location.text(), location.bucket(), connection.source());
        this.calls = new GoogleCalls(attempts, errors, options.retryTimeout());
        String bucket = location.bucket();
        this.keyspace = new GoogleKeyspace(connection.client(), bucket, location.keyPrefix(), calls);
        this.uploads = new GoogleUploads(connection.client(), bucket, calls, keyspace, random);
        this.parts = new GoogleParts(connection, bucket, putSingleMax, calls, uploads);
        this.downloads = new GoogleDownloads(connection.client(), bucket, calls);
        this.copies = new GoogleCopies(connection.client(), bucket, calls);
    }

    /** Makes sure that the bucket exists and the credentials may list it, with one request. */
    void check() throws IOException {
        GoogleCalls impatient = calls.within(OPEN_TIMEOUT);
        try {
            new GoogleKeyspace(connection.client(), location.bucket(), location.keyPrefix(), impatient).look();
        } catch (ObjectNotFoundException e) {
            throw errors.noSuchBucket(e);
        }
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        put(full(key), UploadSource.of(file), Files.size(file), crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        String full = full(key);
        // A copy cannot change during the request.
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        CRC32C crc = new CRC32C();
        crc.update(copy);
        put(full, UploadSource.of(copy), copy.length, OptionalInt.of((int) crc.getValue()), condition);
    }

    private void put(String full, UploadSource source, long length, OptionalInt crc32c, PutCondition condition)
            throws IOException {
        if (length > putSingleMax) {
            parts.put(full, source, length, crc32c, condition);
        } else {
            uploads.put(full, source, length, crc32c, condition);
        }
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
                .map(found -> new ObjectInfo(key, found.length(), Long.toString(found.generation()), found.modified()));
    }

    @Override
    public boolean takesCopies(ObjectStore from, long length) {
        return from instanceof GoogleObjectStore other && connection.root().equals(other.connection.root());
    }

    @Override
    public void copy(ObjectStore from, ObjectInfo object) throws IOException {
        if (!(from instanceof GoogleObjectStore other)) {
            throw new IOException("%s takes no copies of objects in %s".formatted(location(), from.location()));
        }
        copies.copy(other.location.bucket(), other.full(object.key()), full(object.key()), object.length());
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
