// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.walk;

import io.packing.blob.RangeSource;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A blob of the store. */
public record BlobObject(ObjectStore store, String name, long length) implements RangeSource {
    @Override
    public ByteBuffer read(long offset, int count) throws IOException {
        return store.get(name, offset, count);
    }

    @Override
    public ByteBuffer readAgain(long offset, int count) throws IOException {
        return store.getAgain(name, offset, count);
    }
}
