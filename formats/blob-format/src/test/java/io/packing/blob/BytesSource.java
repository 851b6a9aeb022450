// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A blob in an array, with a count of its reads. */
final class BytesSource implements RangeSource {
    private final byte[] bytes;
    private int reads;

    BytesSource(byte[] bytes) {
        this.bytes = bytes;
    }

    int reads() {
        return reads;
    }

    @Override
    public String name() {
        return "blob-under-test";
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public ByteBuffer read(long offset, int length) throws IOException {
        reads++;
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw new EOFException("%d+%d of %d".formatted(offset, length, bytes.length));
        }
        return ByteBuffer.wrap(bytes, (int) offset, length);
    }
}
