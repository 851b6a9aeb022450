// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A stream whose bytes come many at a time: a single one is read as an array of one. A reader of all bytes calls {@link
 * #transferTo}: where the stream can, it sends bytes that are in memory without a copy.
 */
public abstract class BulkInputStream extends InputStream {
    /** The JDK's own moves 8 KB at a time. */
    private static final int BUFFER = 256 << 10;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] into, int offset, int count) throws IOException;

    @Override
    public long transferTo(OutputStream out) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long count = 0;
        for (int n = read(buffer, 0, BUFFER); n >= 0; n = read(buffer, 0, BUFFER)) {
            out.write(buffer, 0, n);
            count += n;
        }
        return count;
    }
}
