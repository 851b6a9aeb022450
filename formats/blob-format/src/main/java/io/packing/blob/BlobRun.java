package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * Extents that lie behind one another in a new blob, at a place that its {@link BlobWriter} reserved. Several threads may make the
 * runs of one blob, each its own, in any order. Confined to one thread.
 */
public final class BlobRun {
    private final FileChannel channel;
    private final Optional<BlobKey> key;
    private final long place;
    private final ByteBuffer bytes;

    /** @param bytes as many as the run has room for */
    BlobRun(FileChannel channel, Optional<BlobKey> key, long place, ByteBuffer bytes) {
        this.channel = channel;
        this.key = key;
        this.place = place;
        this.bytes = bytes;
    }

    /**
     * Adds an extent as it is stored, which is encrypted when the blob is: see {@link BlobWriter#copy(long, Extent, ByteBuffer)}.
     *
     * @param fileId of the content that it is of
     * @param extent that the bytes are stored as, not encrypted
     * @throws CorruptBlobException when they have to be checked and are damaged
     */
    public Extent copy(long fileId, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        if (extent.codec().isEncrypted()) {
            throw new IllegalArgumentException("an encrypted extent is not taken over: decrypt it first");
        }
        if (stored.remaining() != extent.storedLength()) {
            throw new IllegalArgumentException(
                    "%d bytes for an extent of %d".formatted(stored.remaining(), extent.storedLength()));
        }
        long at = place + bytes.position();
        if (key.isEmpty()) {
            bytes.put(stored);
            return new Extent(
                    extent.fileOffset(), extent.length(), at, extent.storedLength(), extent.codec(), extent.crc32c());
        }
        int from = bytes.position();
        ByteBuffer checked = ExtentCodec.decrypt("extent to be encrypted", extent, stored, Decoding.NONE);
        Codec codec = key.get()
                .encrypt(
                        fileId,
                        extent.fileOffset(),
                        extent.length(),
                        new ExtentCodec.Stored(extent.codec(), checked),
                        at,
                        bytes);
        ByteBuffer encrypted = bytes.duplicate().position(from).limit(bytes.position());
        return new ExtentCodec.Stored(codec, encrypted).at(extent.fileOffset(), extent.length(), at);
    }

    /** What was added. */
    ByteBuffer bytes() {
        return bytes.flip();
    }

    /** Writes the run, which has to be full: what nobody wrote would be what the file had there before. */
    public void write() throws IOException {
        if (bytes.hasRemaining()) {
            throw new IllegalStateException(
                    "%d bytes of the run at %d are missing".formatted(bytes.remaining(), place));
        }
        bytes.flip();
        for (long at = place; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }
}
