// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.buffers.Slices;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/** An object store in the heap, for tests and for experiments whose bytes need not survive. */
public final class InMemoryObjectStore implements ObjectStore {
    private static final int KEYS_PER_PAGE = 1_000;

    private final String location;
    private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>(ObjectKeys.UTF8_ORDER);
    private final AtomicLong versions = new AtomicLong();

    /** Creates an empty store at {@code memory:///}. */
    public InMemoryObjectStore() {
        this("memory:///");
    }

    /** Creates an empty store with the given location. */
    public InMemoryObjectStore(String location) {
        this.location = location;
    }

    private record Stored(ByteBuffer bytes, String version) {
        ObjectInfo info(String key) {
            return new ObjectInfo(key, bytes.remaining(), version);
        }
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        Checksums.check(file, crc32c, (int) crc.getValue());
        store(key, bytes, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        store(key, copy, condition);
    }

    @Override
    public boolean takesStream(long length) {
        return true;
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        byte[] bytes = body.bytes().readNBytes(Math.toIntExact(body.length()));
        if (bytes.length < body.length()) {
            throw new EOFException("the stream ended %,d bytes early".formatted(body.length() - bytes.length));
        }
        body.checkEnd();
        store(key, bytes, condition);
    }

    private void store(String key, byte[] bytes, PutCondition condition) throws IOException {
        ObjectKeys.check(key);
        Stored stored =
                new Stored(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), Long.toString(versions.incrementAndGet()));
        if (condition == PutCondition.NONE) {
            objects.put(key, stored);
        } else if (objects.putIfAbsent(key, stored) != null) {
            throw new PreconditionFailedException("%s/%s already exists".formatted(location, key));
        }
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        ByteBuffer all = find(key).bytes;
        RangeChecks.checkInside(key, offset, length, all.remaining());
        return Slices.of(all, (int) offset, length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        ByteBuffer all = find(key).bytes.duplicate();
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (all.hasRemaining()) {
                channel.write(all);
            }
        }
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        RangeChecks.check(0, length);
        ByteBuffer all = find(key).bytes;
        int from = Math.max(0, all.remaining() - length);
        return Slices.of(all, from, all.remaining() - from);
    }

    private Stored find(String key) throws ObjectNotFoundException {
        Stored stored = objects.get(ObjectKeys.check(key));
        if (stored == null) {
            throw new ObjectNotFoundException("no object %s in %s".formatted(key, location));
        }
        return stored;
    }

    @Override
    public Optional<ObjectInfo> head(String key) {
        return Optional.ofNullable(objects.get(ObjectKeys.check(key))).map(stored -> stored.info(key));
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) {
        RangeChecks.checkLimit(limit);
        List<ObjectInfo> page = new ArrayList<>();
        boolean fromPrefix = ObjectKeys.UTF8_ORDER.compare(prefix, startAfter) > 0;
        for (Map.Entry<String, Stored> entry :
                objects.tailMap(fromPrefix ? prefix : startAfter, fromPrefix).entrySet()) {
            if (page.size() == limit || !entry.getKey().startsWith(prefix)) {
                break;
            }
            page.add(entry.getValue().info(entry.getKey()));
        }
        return page;
    }

    /** Reads an object of this store, whose location is its bucket's name. */
    @Override
    public ByteBuffer getVersion(ObjectVersion object, long offset, int length) throws IOException {
        checkBucket(object.bucket());
        try {
            Stored stored = find(object.key());
            if (!stored.version.equals(object.version())) {
                throw new PreconditionFailedException("version %s is there".formatted(stored.version));
            }
            return get(object.key(), offset, length);
        } catch (PreconditionFailedException e) {
            throw ObjectChangedException.changed(object, e);
        } catch (ObjectNotFoundException e) {
            throw ObjectChangedException.gone(object, e);
        }
    }

    @Override
    public BucketPage listBucket(String bucket, String prefix, Optional<String> page) throws IOException {
        checkBucket(bucket);
        List<ObjectInfo> objects = list(prefix, page.orElse(""), KEYS_PER_PAGE);
        return new BucketPage(
                objects,
                objects.size() < KEYS_PER_PAGE
                        ? Optional.empty()
                        : Optional.of(objects.get(objects.size() - 1).key()));
    }

    private void checkBucket(String bucket) throws IOException {
        if (!bucket.equals(location)) {
            throw new IOException("%s has no bucket %s".formatted(location, bucket));
        }
    }

    @Override
    public boolean takesCopies(ObjectStore from, long length) {
        return from instanceof InMemoryObjectStore;
    }

    @Override
    public void copy(ObjectStore from, ObjectInfo object) throws IOException {
        put(object.key(), from.getTail(object.key(), Math.toIntExact(object.length())), PutCondition.NONE);
    }

    @Override
    public void delete(Collection<String> keys) {
        keys.forEach(key -> objects.remove(ObjectKeys.check(key)));
    }

    /** Keeps the objects, so that a test can look at them or open the store again. */
    @Override
    public void close() {}
}
