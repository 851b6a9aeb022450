package io.packing.registry.files;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream whose bytes come many at a time: a single one is read as an array of one. Whoever wants all of them asks with {@link
 * #transferTo}, which copies nothing that is in memory already.
 */
public abstract class BulkInputStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] into, int offset, int count) throws IOException;
}
