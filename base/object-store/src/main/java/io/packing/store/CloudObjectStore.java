// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** A store that holds its objects below a prefix of a cloud's bucket or container. A subclass writes them, and opens the store. */
public abstract class CloudObjectStore implements ObjectStore {
    /** The timeout of an opening: a mount with a dead store should fail while the user watches. */
    protected static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);

    private final String location;
    private final String keyPrefix;

    /** @param keyPrefix ends with a slash; empty: the store is the whole bucket */
    protected CloudObjectStore(String location, String keyPrefix) {
        this.location = location;
        this.keyPrefix = keyPrefix;
    }

    protected abstract ObjectReads reads();

    protected abstract ObjectKeyspace keyspace();

    /** Returns the key of an object in the bucket. */
    protected final String full(String key) {
        return ObjectKeys.check(keyPrefix + ObjectKeys.check(key));
    }

    @Override
    public final String location() {
        return location;
    }

    @Override
    public final ByteBuffer get(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return reads().range(full(key), offset, length);
    }

    @Override
    public final int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        RangeChecks.check(offset, RangeChecks.room(into));
        return reads().range(full(key), offset, into);
    }

    @Override
    public final ByteBuffer getAgain(String key, long offset, int length) throws IOException {
        RangeChecks.check(offset, length);
        return reads().range(full(key), offset, length, true);
    }

    @Override
    public final void download(String key, Path file) throws IOException {
        String full = full(key);
        Downloads.into(file, target -> reads().whole(full, target));
    }

    @Override
    public final ByteBuffer getTail(String key, int length) throws IOException {
        RangeChecks.check(0, length);
        return reads().tail(full(key), length);
    }

    /** {@inheritDoc} A page has at most 1,000 keys, for any limit. */
    @Override
    public final List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        RangeChecks.checkLimit(limit);
        return keyspace().list(prefix, startAfter, limit);
    }

    @Override
    public final void delete(Collection<String> keys) throws IOException {
        keyspace().delete(keys.stream().map(this::full).toList());
    }
}
