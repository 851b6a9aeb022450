// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The body of a put of a known length, with the checksum of the bytes that were read. It remembers the failure of a read, which a
 * client of a store reports in words of its own.
 */
public final class SentStream extends InputStream {
    private final InputStream bytes;
    private final CRC32C crc = new CRC32C();
    private long left;
    private @Nullable IOException failure;

    /** @param length bytes that are sent; the stream may have more */
    public SentStream(InputStream bytes, long length) {
        this.bytes = bytes;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0 || length == 0) {
            return length == 0 ? 0 : -1;
        }
        try {
            int count = bytes.read(into, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the stream ended %,d bytes early".formatted(left));
            }
            crc.update(into, offset, count);
            left -= count;
            return count;
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns the number of bytes that were not read yet. */
    public long left() {
        return left;
    }

    /** Returns the checksum of the bytes that were read. */
    public int crc32c() {
        return (int) crc.getValue();
    }

    /** Returns the failure of a read. */
    public Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
