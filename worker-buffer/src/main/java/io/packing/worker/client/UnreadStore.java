// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.worker.api.ReadOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The store of a client that reads through workers; it refuses each request, and sends none. */
final class UnreadStore implements ObjectStore {
    private final String location;

    UnreadStore(String location) {
        this.location = location;
    }

    private IOException refusal(String key) {
        return new IOException(
                "%s: %s is not read here, since this client reads through workers: %s=workers, or bdt.places=daemons at the master. This needs the store: give the process its credentials, %s=store, and where the master names places to daemons and superusers only, a superuser's certificate"
                        .formatted(location, key, ReadOptions.THROUGH.key(), ReadOptions.THROUGH.key()));
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        throw refusal(key);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        throw refusal(key);
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        throw refusal(key);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        throw refusal(key);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        throw refusal(key);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        throw refusal(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        throw refusal(prefix);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        throw refusal(String.join(", ", keys));
    }

    @Override
    public void close() {
        // No connection is open.
    }
}
