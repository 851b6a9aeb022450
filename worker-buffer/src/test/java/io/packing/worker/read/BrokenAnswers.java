// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A store whose open answers break off after some bytes. It counts them, and the reads of whole ranges. */
final class BrokenAnswers implements ObjectStore {
    private final ObjectStore inner;
    private final int sound;
    private int opened;
    private int closed;
    private int gets;

    BrokenAnswers(ObjectStore inner, int sound) {
        this.inner = inner;
        this.sound = sound;
    }

    int opened() {
        return opened;
    }

    int closed() {
        return closed;
    }

    int gets() {
        return gets;
    }

    @Override
    public InputStream open(String key, long offset, int length) throws IOException {
        opened++;
        ByteBuffer bytes = inner.get(key, offset, Math.min(sound, length));
        byte[] first = new byte[bytes.remaining()];
        bytes.get(first);
        InputStream reset = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Connection reset");
            }

            @Override
            public int read(byte[] into, int at, int count) throws IOException {
                throw new IOException("Connection reset");
            }
        };
        return new SequenceInputStream(new ByteArrayInputStream(first), reset) {
            @Override
            public void close() {
                closed++;
            }
        };
    }

    @Override
    public ByteBuffer get(String key, long offset, int length) throws IOException {
        gets++;
        return inner.get(key, offset, length);
    }

    @Override
    public String location() {
        return inner.location();
    }

    @Override
    public void put(String key, Path file, OptionalInt crc32c, PutCondition condition) throws IOException {
        inner.put(key, file, crc32c, condition);
    }

    @Override
    public void put(String key, ByteBuffer bytes, PutCondition condition) throws IOException {
        inner.put(key, bytes, condition);
    }

    @Override
    public void download(String key, Path file) throws IOException {
        inner.download(key, file);
    }

    @Override
    public ByteBuffer getTail(String key, int length) throws IOException {
        return inner.getTail(key, length);
    }

    @Override
    public Optional<ObjectInfo> head(String key) throws IOException {
        return inner.head(key);
    }

    @Override
    public List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException {
        return inner.list(prefix, startAfter, limit);
    }

    @Override
    public void delete(Collection<String> keys) throws IOException {
        inner.delete(keys);
    }

    @Override
    public void close() {
        inner.close();
    }
}
