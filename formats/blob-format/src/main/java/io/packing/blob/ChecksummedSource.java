// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A blob's bytes with the CRC32C of all of them, which it computes from another class's reads in order. It reads bytes
 * again that were read before their turn, such as footers, and reads those that were not read. Confined to one thread.
 */
public final class ChecksummedSource implements RangeSource {
    private final RangeSource source;
    private final CRC32C crc = new CRC32C();
    /** The offset up to which {@link #crc} covers the bytes. */
    private long position;

    public ChecksummedSource(RangeSource source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public long length() throws IOException {
        return source.length();
    }

    @Override
    public ByteBuffer read(long offset, int length) throws IOException {
        ByteBuffer bytes = source.read(offset, length);
        add(offset, bytes.duplicate());
        return bytes;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        ByteBuffer bytes = into.duplicate();
        source.read(offset, into);
        add(offset, bytes.limit(into.position()));
    }

    /**
     * {@inheritDoc} The checksum keeps the bytes of the first read: it serves other readers, who may receive those
     * bytes.
     */
    @Override
    public ByteBuffer readAgain(long offset, int length) throws IOException {
        return source.readAgain(offset, length);
    }

    @Override
    public int sequentialReadBytes() {
        return source.sequentialReadBytes();
    }

    private void add(long offset, ByteBuffer bytes) {
        long known = position - offset;
        if (known >= 0 && known < bytes.remaining()) {
            position = offset + bytes.remaining();
            crc.update(bytes.position(bytes.position() + (int) known));
        }
    }

    /** Returns the checksum of all bytes; reads those that were not read in order. */
    public int crc32c() throws IOException {
        while (position < length()) {
            read(position, (int) Math.min(length() - position, sequentialReadBytes()));
        }
        return (int) crc.getValue();
    }
}
