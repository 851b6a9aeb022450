// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.s3.S3Client;

/** An object store in an S3 bucket, or in another store with S3's protocol. */
final class S3ObjectStore extends CloudObjectStore {
    /** The longest object that one request copies. */
    private static final long MOST_COPIED = 5L << 30;

    private final S3Connection connection;
    private final S3Client client;
    private final StoreLocation.Bucket location;
    private final Attempts attempts;
    private final S3Calls calls;
    private final S3Heads heads;
    private final S3Uploads uploads;
    private final S3Streams streams;
    private final S3Downloads downloads;
    private final S3Keyspace keyspace;
    private final S3Copies copies;
    private final S3Buckets buckets;
    /** Names the service that has the bucket: its endpoint, or the part of AWS. */
    private final String server;

    /**
     * @param connection closed with this store
     * @param random safe to use from many threads
     */
    S3ObjectStore(
            S3Connection connection,
            StoreOptions options,
            StoreLocation.Bucket location,
            RequestListener listener,
            LongSupplier nanoClock,
            Pause pause,
            RandomGenerator random) {
        super(location.text(), prefix(location));
        this.connection = connection;
        this.client = connection.client();
        this.location = location;
        this.attempts = new Attempts(location.text(), listener, nanoClock, pause, random);
        this.calls = calls(attempts, connection, location.text(), location.bucket(), options);
        this.heads = new S3Heads(client, location.bucket(), calls);
        this.uploads = new S3Uploads(client, location.bucket(), options.putSingleMax(), calls, heads, random);
        this.streams = new S3Streams(
                client,
                location.bucket(),
                options.putSingleMax(),
                calls,
                options.endpoint().filter(LoopbackSigning::suits).isPresent());
        this.downloads = new S3Downloads(client, location.bucket(), calls, Optional.empty());
        this.keyspace = new S3Keyspace(client, location.bucket(), prefix(location), calls);
        this.copies = new S3Copies(client, location.bucket(), calls);
        this.buckets = new S3Buckets(client, bucket -> calls(attempts, connection, "s3://" + bucket, bucket, options));
        this.server = options.endpoint()
                .map(StoreAddress::server)
                .orElseGet(() -> StoreAddress.partition(connection.region().name()));
    }

    private static S3Calls calls(
            Attempts attempts, S3Connection connection, String named, String bucket, StoreOptions options) {
        S3Errors errors = new S3Errors(named, bucket, connection.credentials().source(), connection.region());
        return new S3Calls(attempts, errors, options.retryTimeout());
    }

    private static String prefix(StoreLocation.Bucket location) {
        return location.prefix().isEmpty() ? "" : location.prefix() + "/";
    }

    /** Makes sure that the bucket exists and the credentials may use it, with one request when they may. */
    void check() throws IOException {
        S3Calls impatient = calls.within(OPEN_TIMEOUT);
        try {
            impatient.run(
                    RequestKind.HEAD,
                    "look for the bucket",
                    attempt -> client.headBucket(request -> request.bucket(location.bucket())));
        } catch (ObjectNotFoundException e) {
            throw calls.noSuchBucket(e);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (IOException e) {
            // An answer to HEAD has no body with the reason, and some policies allow only the prefix.
            impatient.run(
                    RequestKind.LIST,
                    "list the bucket",
                    attempt -> client.listObjectsV2(request -> request.bucket(location.bucket())
                            .prefix(prefix(location))
                            .maxKeys(1)));
        }
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        uploads.put(full(key), new S3Body.OfFile(file, Files.size(file)), crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        uploads.put(full(key), S3Body.OfBytes.copyOf(bytes), OptionalInt.empty(), condition);
    }

    @Override
    public boolean takesStream(long length) {
        return streams.take(length);
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        streams.put(full(key), body, condition);
    }

    @Override
    public InputStream open(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return length == 0 ? InputStream.nullInputStream() : downloads.open(full(key), offset, length);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return heads.of(full(key)).map(head -> new ObjectInfo(key, head.length(), head.tag(), head.modified()));
    }

    @Override
    public boolean takesCopies(ObjectStore from, long length) {
        return from instanceof S3ObjectStore other && server.equals(other.server) && length <= MOST_COPIED;
    }

    @Override
    public void copy(ObjectStore from, ObjectInfo object) throws IOException {
        if (!(from instanceof S3ObjectStore other)) {
            throw new IOException("%s takes no copies of objects in %s".formatted(location(), from.location()));
        }
        copies.copy(other.location.bucket(), other.full(object.key()), full(object.key()));
    }

    @Override
    public ByteBuffer getVersion(ObjectVersion object, long offset, int length) throws IOException {
        return buckets.get(object, offset, length);
    }

    @Override
    public BucketPage listBucket(String bucket, String prefix, Optional<String> page) throws IOException {
        return buckets.list(bucket, prefix, page);
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
