// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.blob.RangeSource;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An object of the backing store, for ranged reads. */
public record ObjectSource(ObjectStore objects, String name, long length) implements RangeSource {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectSource.class);

    @Override
    public ByteBuffer read(long offset, int count) throws IOException {
        return objects.get(name, offset, count);
    }

    @Override
    public ByteBuffer readAgain(long offset, int count) throws IOException {
        LOG.warn("{}: the bytes at {}+{} were damaged on the way, fetching them again", name, offset, count);
        return objects.getAgain(name, offset, count);
    }
}
