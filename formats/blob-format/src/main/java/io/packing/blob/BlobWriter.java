// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A writer of a blob into a new file: header, extents in the order of the calls, then footer and trailer.
 *
 * <p>Appended bytes that {@link #finish} does not name become a gap. So the caller can leave out a file that was
 * deleted meanwhile. The caller owns the channel; this class does not sync it. Confined to one thread.
 */
public final class BlobWriter {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel channel;
    private final ExtentEncoder encoder;
    private final Optional<BlobKey> key;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long position;

    /**
     * Starts a blob.
     *
     * @param channel of an empty file, readable and writable
     * @param codec to try for every extent; one that does not shrink is stored as it is
     */
    public BlobWriter(FileChannel channel, Codec codec) throws IOException {
        this(channel, bytes -> ExtentCodec.encode(codec, bytes));
    }

    /**
     * Starts a blob.
     *
     * @param channel of an empty file, readable and writable
     * @param encoder of every extent; the caller closes it
     */
    public BlobWriter(FileChannel channel, ExtentEncoder encoder) throws IOException {
        this(channel, encoder, Optional.empty());
    }

    /**
     * Starts a blob.
     *
     * @param channel of an empty file, readable and writable
     * @param encoder of every extent; the caller closes it
     * @param key of this blob, if it is encrypted; only one writer may use it
     */
    public BlobWriter(FileChannel channel, ExtentEncoder encoder, Optional<BlobKey> key) throws IOException {
        this(channel, encoder, key, false);
    }

    /**
     * Starts a blob that overwrites the content of a file. In the end it cuts off the old content behind the body.
     *
     * @param channel of the file, readable and writable
     * @param encoder of every extent; the caller closes it
     * @param key of this blob, if it is encrypted; only one writer may use it
     */
    public static BlobWriter over(FileChannel channel, ExtentEncoder encoder, Optional<BlobKey> key)
            throws IOException {
        return new BlobWriter(channel, encoder, key, true);
    }

    private BlobWriter(FileChannel channel, ExtentEncoder encoder, Optional<BlobKey> key, boolean over)
            throws IOException {
        if (!over && channel.size() != 0) {
            throw new IllegalArgumentException("a blob starts in an empty file, this one has " + channel.size());
        }
        this.channel = channel;
        this.encoder = encoder;
        this.key = key;
        write(BlobHeader.bytes());
        if (key.isPresent()) {
            write(key.get().section());
        }
        if (encoder.dictionary().isPresent()) {
            write(encoder.dictionary().get().section(key));
        }
    }

    /** Returns the number of bytes so far, header included. */
    public long position() {
        return position + buffer.position();
    }

    /** Appends an extent to a blob that is not encrypted, and so needs no file id. */
    public Extent append(long fileOffset, ByteBuffer bytes) throws IOException {
        return append(nobody(), fileOffset, bytes);
    }

    /**
     * Appends all remaining bytes of the buffer, at most {@link Extent#MAX_LENGTH}, as one extent.
     *
     * @param fileId of the extent's content
     */
    public Extent append(long fileId, long fileOffset, ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (length == 0 || length > Extent.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "an extent has 1 to %d bytes, not %d".formatted(Extent.MAX_LENGTH, length));
        }
        ExtentCodec.Stored encoded = encoder.encode(bytes);
        ExtentCodec.Stored stored =
                key.isPresent() ? key.get().encrypt(fileId, fileOffset, length, encoded, position()) : encoded;
        Extent extent = stored.at(fileOffset, length, position());
        write(stored.bytes());
        bytes.position(bytes.limit());
        return extent;
    }

    /**
     * Appends the next {@code length} bytes of a channel as extents of {@link Extent#MAX_LENGTH}, the last one shorter.
     */
    public List<Extent> append(long fileOffset, ReadableByteChannel source, long length) throws IOException {
        List<Extent> extents = new ArrayList<>();
        ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(Extent.MAX_LENGTH, length));
        for (long done = 0; done < length; done += chunk.limit()) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), length - done));
            while (chunk.hasRemaining()) {
                if (source.read(chunk) < 0) {
                    throw new EOFException(
                            "the source ends after %d of %d bytes".formatted(done + chunk.position(), length));
                }
            }
            extents.add(append(fileOffset + done, chunk.flip()));
        }
        return List.copyOf(extents);
    }

    /** Copies an extent into a blob that is not encrypted, and so needs no file id. */
    public Extent copy(Extent extent, ByteBuffer stored) throws IOException {
        return copy(nobody(), extent, stored);
    }

    /**
     * Appends bytes that are encoded already, as they are, and returns the extent at its new place. It takes the
     * checksum over and does not compute it: if the bytes do not match it, the verifier says so. For an encrypted blob
     * it checks the bytes and then encrypts them.
     *
     * @param fileId of the extent's content
     * @param extent describes the stored bytes; not encrypted
     * @throws CorruptBlobException when the bytes need a check and are damaged
     */
    public Extent copy(long fileId, Extent extent, ByteBuffer stored) throws IOException {
        int length = copiedLength(extent);
        BlobRun run = new BlobRun(channel, key, position(), ByteBuffer.allocate(length));
        Extent moved = run.copy(fileId, extent, stored);
        write(run.bytes());
        return moved;
    }

    /** Returns the bytes that an extent takes in this blob when it is copied. */
    public int copiedLength(Extent extent) {
        return extent.storedLength() + (key.isPresent() ? BlobKey.TAG_BYTES : 0);
    }

    /** Reserves the next place for this many bytes. A {@link #run} must write them before the blob is finished. */
    public long reserve(int bytes) throws IOException {
        flush();
        long place = position;
        position += bytes;
        return place;
    }

    /**
     * Returns a run that writes a reserved place, once. Callable from any thread.
     *
     * @param into a buffer of as many bytes as were reserved, which is cleared
     */
    public BlobRun run(long place, ByteBuffer into) {
        return new BlobRun(channel, key, place, into.clear());
    }

    private long nobody() {
        if (key.isPresent()) {
            throw new IllegalStateException("an extent of an encrypted blob is bound to its file");
        }
        return 0;
    }

    /** Writes footer and trailer; the blob is then complete. See {@link FooterWriter#finish}. */
    public FinishedBlob finish(List<PackedFile> files) throws IOException {
        flush();
        if (channel.size() < position) {
            throw new IllegalStateException(
                    "the body ends at %d, and %d bytes are written or reserved".formatted(channel.size(), position));
        }
        channel.truncate(position);
        return FooterWriter.finish(channel, files, encoder.dictionary(), key);
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > buffer.remaining()) {
            flush();
        }
        if (bytes.remaining() <= buffer.remaining()) {
            buffer.put(bytes);
        } else {
            writeFully(bytes);
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        writeFully(buffer);
        buffer.clear();
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            position += channel.write(bytes, position);
        }
    }
}
