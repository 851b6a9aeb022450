// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import io.packing.store.Attempts;
import io.packing.store.Downloads;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeys;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.Pause;
import io.packing.store.PutCondition;
import io.packing.store.RangeChecks;
import io.packing.store.RequestListener;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** An object store in a bucket of Google Cloud Storage. */
final class GoogleObjectStore implements ObjectStore {
    /** The timeout of an opening: a mount with a dead store should fail while the user watches. */
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

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
    public String location() {
        return location.text();
    }

    private String full(String key) {
        return ObjectKeys.check(location.keyPrefix() + ObjectKeys.check(key));
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        put(full(key), offset -> open(file, offset), Files.size(file), crc32c, condition);
    }

    private static InputStream open(Path file, long offset) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        return Channels.newInputStream(channel.position(offset));
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        String full = full(key);
        // A copy cannot change during the request.
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        CRC32C crc = new CRC32C();
        crc.update(copy);
        put(
                full,
                offset -> new ByteArrayInputStream(copy, (int) offset, copy.length - (int) offset),
                copy.length,
                OptionalInt.of((int) crc.getValue()),
                condition);
    }

    private void put(String full, GoogleUploads.Source source, long length, OptionalInt crc32c, PutCondition condition)
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
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return downloads.range(full(key), offset, length);
    }

    @Override
    public int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        RangeChecks.check(offset, RangeChecks.room(into));
        return downloads.range(full(key), offset, into);
    }

    @Override
    public ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return downloads.rangeAgain(full(key), offset, length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        String full = full(key);
        Downloads.into(file, target -> downloads.whole(full, target));
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        RangeChecks.check(0, length);
        return downloads.tail(full(key), length);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return keyspace.attributes(full(key))
                .map(found -> new ObjectInfo(key, found.length(), Long.toString(found.generation()), found.modified()));
    }

    /** {@inheritDoc} A page has at most 1,000 keys, for any limit. */
    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        RangeChecks.checkLimit(limit);
        return keyspace.list(prefix, startAfter, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        keyspace.delete(keys.stream().map(this::full).toList());
    }

    @Override
    public void close() {
        attempts.close();
        connection.close();
    }
}
