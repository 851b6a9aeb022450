// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.underfs.SeekableUnderFileInputStream;
import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A position over an open file. Alluxio keeps these in a cache and seeks them, so a seek costs nothing and a read asks
 * for exactly the bytes that it was asked for. Confined to one thread.
 */
final class PackingUfsInput extends SeekableUnderFileInputStream {
    private final PackingInput input;
    private final long length;
    private long position;

    PackingUfsInput(PackingInput input, long position) {
        super(InputStream.nullInputStream());
        this.input = input;
        this.length = input.attributes().length();
        this.position = position;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes) throws IOException {
        return read(bytes, 0, bytes.length);
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        if (count == 0) {
            return 0;
        }
        int n = input.read(position, ByteBuffer.wrap(bytes, offset, count));
        if (n > 0) {
            position += n;
        }
        return n;
    }

    @Override
    public long skip(long count) {
        long skipped = Math.max(0, Math.min(count, length - position));
        position += skipped;
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, length - position));
    }

    @Override
    public void seek(long target) throws IOException {
        if (target < 0 || target > length) {
            throw new EOFException("cannot seek to %d of %d".formatted(target, length));
        }
        position = target;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() {
        input.close();
    }
}
