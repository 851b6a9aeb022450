// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** An object store that runs code around every operation of another one. */
abstract class DecoratedObjectStore implements ObjectStore {
    private final ObjectStore store;

    DecoratedObjectStore(ObjectStore store) {
        this.store = store;
    }

    /** An operation of the store behind. */
    interface Call<T> {
        T run() throws IOException;
    }

    /** A count of the body bytes that an operation with this result moved. */
    interface Moved<T> {
        long bytes(T result) throws IOException;
    }

    /** Runs the operation, or fails instead. */
    abstract <T> T around(RequestKind kind, Call<T> call, Moved<T> moved) throws IOException;

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        around(
                RequestKind.PUT,
                () -> {
                    store.put(key, file, crc32c, condition);
                    return file;
                },
                Files::size);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        int length = bytes.remaining();
        around(
                RequestKind.PUT,
                () -> {
                    store.put(key, bytes, condition);
                    return key;
                },
                done -> length);
    }

    @Override
    public boolean takesStream(long length) {
        return store.takesStream(length);
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        around(
                RequestKind.PUT,
                () -> {
                    store.put(key, body, condition);
                    return key;
                },
                done -> body.length());
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return around(RequestKind.GET, () -> store.get(key, offset, length), ByteBuffer::remaining);
    }

    @Override
    public int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        return around(RequestKind.GET, () -> store.get(key, offset, into), count -> count);
    }

    @Override
    public ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        return around(RequestKind.GET, () -> store.getAgain(key, offset, length), ByteBuffer::remaining);
    }

    /** {@inheritDoc} The operation is the opening, and counts as one of all bytes. */
    @Override
    public InputStream open(String key, long offset, int length) throws IOException {
        return around(RequestKind.GET, () -> store.open(key, offset, length), stream -> length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        around(
                RequestKind.GET,
                () -> {
                    store.download(key, file);
                    return file;
                },
                Files::size);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return around(RequestKind.GET, () -> store.getTail(key, length), ByteBuffer::remaining);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return around(RequestKind.HEAD, () -> store.head(key), found -> 0);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return around(RequestKind.LIST, () -> store.list(prefix, startAfter, limit), page -> 0);
    }

    @Override
    public ByteBuffer getVersion(ObjectVersion object, long offset, int length) throws IOException {
        return around(RequestKind.GET, () -> store.getVersion(object, offset, length), ByteBuffer::remaining);
    }

    @Override
    public BucketPage listBucket(String bucket, String prefix, Optional<String> page) throws IOException {
        return around(RequestKind.LIST, () -> store.listBucket(bucket, prefix, page), got -> 0);
    }

    @Override
    public boolean takesCopies(ObjectStore from, long length) {
        return store.takesCopies(from.undecorated(), length);
    }

    @Override
    public void copy(ObjectStore from, ObjectInfo object) throws IOException {
        around(
                RequestKind.PUT,
                () -> {
                    store.copy(from.undecorated(), object);
                    return object;
                },
                done -> 0);
    }

    @Override
    public ObjectStore undecorated() {
        return store.undecorated();
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        if (!keys.isEmpty()) {
            around(
                    RequestKind.DELETE,
                    () -> {
                        store.delete(keys);
                        return keys;
                    },
                    done -> 0);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
