package io.packing.bdt.master;

import io.packing.blob.RangeSource;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An object of the backing store, for ranged reads. */
record ObjectSource(ObjectStore objects, String name, long length) implements RangeSource {
    @Override
    public ByteBuffer read(long offset, int count) throws IOException {
        return objects.get(name, offset, count);
    }
}
