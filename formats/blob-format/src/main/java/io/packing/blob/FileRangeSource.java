// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A blob in a local file. The caller owns the channel. Thread-safe. */
public record FileRangeSource(String name, FileChannel channel) implements RangeSource {
    /**
     * A size that the processor's cache can hold, so that bytes just copied from the page cache are still in it when
     * they are checked.
     */
    private static final int SEQUENTIAL_READ_BYTES = 256 << 10;

    @Override
    public long length() throws IOException {
        return channel.size();
    }

    @Override
    public ByteBuffer read(long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        read(offset, bytes);
        return bytes.flip();
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        FooterWriter.readFully(channel, into, offset);
    }

    @Override
    public int sequentialReadBytes() {
        return SEQUENTIAL_READ_BYTES;
    }
}
