// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;

/** An object store that stops answering. */
final class StuckObjects implements ObjectStore {
    /** The end of a request that gets no answer. */
    enum How {
        UNTIL_INTERRUPTED,
        UNTIL_CLOSED,
        FOR_EVER
    }

    private final ObjectStore objects;
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Optional<How> stuck = Optional.empty();

    StuckObjects(ObjectStore objects) {
        this.objects = objects;
    }

    void stick(How how) {
        stuck = Optional.of(how);
    }

    /** Waits until a caller waits for an answer. */
    void awaitCaller() throws InterruptedException {
        called.await();
    }

    private ObjectStore answering() throws IOException {
        Optional<How> how = stuck;
        if (how.isEmpty()) {
            return objects;
        }
        called.countDown();
        while (true) {
            try {
                (how.get() == How.FOR_EVER ? new CountDownLatch(1) : closed).await();
                throw new IOException("closed");
            } catch (InterruptedException e) {
                if (how.get() == How.UNTIL_INTERRUPTED) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted");
                }
            }
        }
    }

    @Override
    public String location() {
        return objects.location();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        answering().put(key, file, crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        answering().put(key, bytes, condition);
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return answering().get(key, offset, length);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return answering().getTail(key, length);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        answering().download(key, file);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return answering().head(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return answering().list(prefix, startAfter, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        answering().delete(keys);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
