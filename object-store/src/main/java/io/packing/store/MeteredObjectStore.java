package io.packing.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reports every operation of a store that sends no requests of its own as the one request that S3 would get. */
public final class MeteredObjectStore implements ObjectStore {
    private final ObjectStore store;
    private final RequestListener listener;

    public MeteredObjectStore(ObjectStore store, RequestListener listener) {
        this.store = store;
        this.listener = listener;
    }

    private interface Call<T> {
        T run() throws IOException;
    }

    private interface Bytes<T> {
        long of(T result) throws IOException;
    }

    private <T> T metered(RequestKind kind, Call<T> call, Bytes<T> bytes) throws IOException {
        boolean answered = false;
        long transferred = 0;
        try {
            T result = call.run();
            transferred = bytes.of(result);
            answered = true;
            return result;
        } catch (ObjectNotFoundException | PreconditionFailedException e) {
            answered = true;
            throw e;
        } finally {
            listener.request(kind, transferred, answered ? RequestOutcome.OK : RequestOutcome.FAILED);
        }
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public void put(String key, Path file, PutCondition condition) throws IOException {
        metered(
                RequestKind.PUT,
                () -> {
                    store.put(key, file, condition);
                    return file;
                },
                Files::size);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        int length = bytes.remaining();
        metered(
                RequestKind.PUT,
                () -> {
                    store.put(key, bytes, condition);
                    return key;
                },
                done -> length);
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        return metered(RequestKind.GET, () -> store.get(key, offset, length), ByteBuffer::remaining);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        metered(
                RequestKind.GET,
                () -> {
                    store.download(key, file);
                    return file;
                },
                Files::size);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return metered(RequestKind.GET, () -> store.getTail(key, length), ByteBuffer::remaining);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return metered(RequestKind.HEAD, () -> store.head(key), found -> 0);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return metered(RequestKind.LIST, () -> store.list(prefix, startAfter, limit), page -> 0);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        if (!keys.isEmpty()) {
            metered(
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
