// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.blob.ExtentCodec;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A record of all requests to a store, of all clients with a view of it. */
final class RecordedRequests {
    private final ObjectStore store;
    private final List<String> requests = new ArrayList<>();

    RecordedRequests(ObjectStore store) {
        this.store = store;
    }

    /** Returns all requests, in order. */
    synchronized List<String> all() {
        return List.copyOf(requests);
    }

    private synchronized void note(String who, String what) {
        requests.add(who + ": " + what);
    }

    /** Returns a view of the store that records the requests of one client. */
    ObjectStore of(String who) {
        return new ObjectStore() {
            @Override
            public String location() {
                return store.location();
            }

            @Override
            public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
                note(who, "put %s %s %s".formatted(key, body(ByteBuffer.wrap(Files.readAllBytes(file))), condition));
                store.put(key, file, crc32c, condition);
            }

            @Override
            public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
                note(who, "put %s %s %s".formatted(key, body(bytes), condition));
                store.put(key, bytes, condition);
            }

            /**
             * Describes a body; of a master's objects only the length, since they contain random names of one length.
             */
            private String body(ByteBuffer bytes) {
                return who.equals("worker")
                        ? "%d bytes %08x".formatted(bytes.remaining(), ExtentCodec.crc32c(bytes.duplicate()))
                        : "%d bytes".formatted(bytes.remaining());
            }

            @Override
            public ByteBuffer get(String key, long offset, int length) throws IOException {
                note(who, "get %s %d+%d".formatted(key, offset, length));
                return store.get(key, offset, length);
            }

            @Override
            public void download(String key, Path file) throws IOException {
                note(who, "download %s".formatted(key));
                store.download(key, file);
            }

            @Override
            public ByteBuffer getTail(String key, int length) throws IOException {
                note(who, "tail %s %d".formatted(key, length));
                return store.getTail(key, length);
            }

            @Override
            public Optional<ObjectInfo> head(String key) throws IOException {
                note(who, "head %s".formatted(key));
                return store.head(key);
            }

            @Override
            public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
                note(who, "list '%s' after '%s', %d".formatted(prefix, startAfter, limit));
                return store.list(prefix, startAfter, limit);
            }

            @Override
            public void delete(Collection<String> keys) throws IOException {
                note(who, "delete %s".formatted(keys));
                store.delete(keys);
            }

            @Override
            public void close() {
                // Other clients have views of the store, too.
            }
        };
    }
}
