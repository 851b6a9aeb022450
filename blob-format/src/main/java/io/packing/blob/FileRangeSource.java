package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A blob in a local file. The caller owns the channel. Thread-safe. */
public record FileRangeSource(String name, FileChannel channel) implements RangeSource {
    @Override
    public long length() throws IOException {
        return channel.size();
    }

    @Override
    public ByteBuffer read(long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        FooterWriter.readFully(channel, bytes, offset);
        return bytes.flip();
    }
}
