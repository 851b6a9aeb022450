package io.packing.blob;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** Makes a blob of a file that has a header and a body: appends the footer and the trailer (blob-format.md, 3 and 4). */
public final class FooterWriter {
    private static final int GAP_BUFFER = 64 << 10;

    private FooterWriter() {}

    /**
     * Finishes the body that ends where the channel's file ends now. Bytes of the body that no file's extent names become
     * gaps; they are read to make their checksum. Does not sync.
     *
     * @param channel readable and writable; starts with {@link BlobHeader#bytes()}
     * @param files in any order
     * @throws IllegalArgumentException when the files break a rule of the format: overlapping extents, extents outside
     *     the body, an id that occurs twice, or more than a footer may hold
     * @throws CorruptBlobException when the file does not start with a blob header
     */
    public static FinishedBlob finish(FileChannel channel, List<PackedFile> files) throws IOException {
        long footerOffset = channel.size();
        ByteBuffer header = ByteBuffer.allocate((int) Math.min(BlobHeader.SIZE, footerOffset));
        readFully(channel, header, 0);
        BlobHeader.check("unfinished blob", header.flip());

        byte[] inflated = FooterEncoder.encode(files);
        BodyMap map = check(footerOffset, files.size(), inflated);
        ByteBuffer stored = deflate(inflated);
        BlobTrailer trailer = new BlobTrailer(
                footerOffset,
                stored.remaining(),
                inflated.length,
                files.size(),
                ExtentCodec.crc32c(stored),
                gapCrc(channel, map));
        ByteBuffer end = ByteBuffer.allocate(stored.remaining() + BlobTrailer.SIZE);
        end.put(stored).put(trailer.bytes()).flip();
        for (long at = footerOffset; end.hasRemaining(); ) {
            at += channel.write(end, at);
        }
        return new FinishedBlob(footerOffset, trailer.blobLength(), files.size(), map.size(), map.coveredBytes());
    }

    /** The reader's own check is the writer's: what would be rejected later is refused now. */
    private static BodyMap check(long footerOffset, int files, byte[] inflated) {
        try {
            return Footer.check("new blob", new BlobTrailer(footerOffset, 0, inflated.length, files, 0, 0), inflated);
        } catch (CorruptBlobException e) {
            throw new IllegalArgumentException("the files do not make a blob: " + e.getMessage(), e);
        }
    }

    static ByteBuffer deflate(byte[] inflated) {
        ByteBuffer stored = ByteBuffer.allocate(inflated.length + (inflated.length >> 10) + 64);
        boolean fits = Deflate.deflate(ByteBuffer.wrap(inflated), stored, Deflater.DEFAULT_COMPRESSION);
        // Readers refuse what looks like a decompression bomb; see blob-format.md, section 7.
        if (!fits || inflated.length > (long) BlobTrailer.MAX_RATIO * stored.position()) {
            stored.clear();
            if (!Deflate.deflate(ByteBuffer.wrap(inflated), stored, Deflater.NO_COMPRESSION)) {
                throw new IllegalStateException("stored blocks of %d bytes do not fit".formatted(inflated.length));
            }
        }
        return stored.flip();
    }

    private static int gapCrc(FileChannel channel, BodyMap map) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(GAP_BUFFER);
        map.forEachGap((offset, length) -> {
            for (long at = offset; at < offset + length; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(GAP_BUFFER, offset + length - at));
                readFully(channel, buffer, at);
                crc.update(buffer.flip());
            }
        });
        return (int) crc.getValue();
    }

    static void readFully(FileChannel channel, ByteBuffer into, long offset) throws IOException {
        long at = offset;
        while (into.hasRemaining()) {
            int count = channel.read(into, at);
            if (count < 0) {
                throw new EOFException("the file ends at %d, %d bytes early".formatted(at, into.remaining()));
            }
            at += count;
        }
    }
}
