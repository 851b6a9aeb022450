// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The store client of packing itself, which slows down when the store refuses requests. */
public record PacedClient(ObjectStore store) implements DirectClient {
    @Override
    public String settings() {
        return "packing's own client of stores: halves its rate when refused, raises it slowly, repeats until packing.s3.retry.timeout";
    }

    @Override
    public void put(String key, byte[] bytes) throws IOException {
        store.put(key, ByteBuffer.wrap(bytes), PutCondition.NONE);
    }

    @Override
    public void put(String key, Path file) throws IOException {
        store.put(key, file, PutCondition.NONE);
    }

    @Override
    public byte[] get(String key, int length) throws IOException {
        ByteBuffer bytes = store.get(key, 0, length);
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    @Override
    public long repeated() {
        return 0;
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
