// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreUnavailableException;
import io.packing.store.StreamedBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that a test can cut off: while it is down, every request fails as without a network. */
final class GatedStore implements ObjectStore {
    private final ObjectStore inner;
    private final AtomicBoolean down;
    private final AtomicInteger puts;

    GatedStore(ObjectStore inner, AtomicBoolean down, AtomicInteger puts) {
        this.inner = inner;
        this.down = down;
        this.puts = puts;
    }

    private ObjectStore up() throws StoreUnavailableException {
        if (down.get()) {
            throw new StoreUnavailableException("the store is cut off by the test");
        }
        return inner;
    }

    @Override
    public String location() {
        return inner.location();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        up().put(key, file, crc32c, condition);
        puts.incrementAndGet();
        // The answer may be lost although the store has the object.
        up();
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        up().put(key, bytes, condition);
    }

    @Override
    public boolean takesStream(long length) {
        return inner.takesStream(length);
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        up().put(key, body, condition);
        puts.incrementAndGet();
        // The answer may be lost although the store has the object.
        up();
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return up().get(key, offset, length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        up().download(key, file);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return up().getTail(key, length);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return up().head(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return up().list(prefix, startAfter, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        up().delete(keys);
    }

    @Override
    public void close() {
        inner.close();
    }
}
