// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * A sequence of extents of a new blob, at a place that its {@link BlobWriter} reserved. Several threads may make the
 * runs of one blob, each its own, in any order. Confined to one thread.
 */
public final class BlobRun {
    private final FileChannel channel;
    private final Optional<BlobKey> key;
    private final long place;
    private final ByteBuffer bytes;

    /**
     * Creates a run.
     *
     * @param bytes a buffer of the run's length
     */
    BlobRun(FileChannel channel, Optional<BlobKey> key, long place, ByteBuffer bytes) {
        this.channel = channel;
        this.key = key;
        this.place = place;
        this.bytes = bytes;
    }

    /**
     * Adds an extent as it is stored, and encrypts it when the blob is encrypted: see {@link BlobWriter#copy(long,
     * Extent, ByteBuffer)}.
     *
     * @param fileId of the extent's content
     * @param extent describes the stored bytes; not encrypted
     * @throws CorruptBlobException when the bytes need a check and are damaged
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

    /** Returns the added bytes. */
    ByteBuffer bytes() {
        return bytes.flip();
    }

    /** Writes the run, which must be full: missing bytes would be those that the file had there before. */
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
