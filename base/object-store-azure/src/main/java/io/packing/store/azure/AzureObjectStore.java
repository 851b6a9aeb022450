// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import io.packing.store.Attempts;
import io.packing.store.Downloads;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectKeys;
import io.packing.store.ObjectStore;
import io.packing.store.Pause;
import io.packing.store.PutCondition;
import io.packing.store.RangeChecks;
import io.packing.store.RequestListener;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
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

/** An object store in a container of Azure Blob Storage. */
final class AzureObjectStore implements ObjectStore {
    /** The timeout of an opening: a mount with a dead store should fail while the user watches. */
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

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
    public String location() {
        return location.text();
    }

    private String full(String key) {
        return ObjectKeys.check(location.keyPrefix() + ObjectKeys.check(key));
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        uploads.put(full(key), offset -> open(file, offset), Files.size(file), crc32c, condition);
    }

    private static InputStream open(Path file, long offset) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        return Channels.newInputStream(channel.position(offset));
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
                .map(found -> new ObjectInfo(key, found.length(), found.tag(), found.modified()));
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
