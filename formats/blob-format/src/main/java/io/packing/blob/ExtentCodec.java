package io.packing.blob;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;

/** Turns an extent's bytes into stored bytes and back (blob-format.md, section 2). */
public final class ExtentCodec {
    private ExtentCodec() {}

    /**
     * Bytes as a blob stores them.
     *
     * @param codec how they are stored
     * @param bytes from position to limit; a view of the input for {@link Codec#NONE}
     */
    public record Stored(Codec codec, ByteBuffer bytes) {
        /** The extent of these bytes at a place of a file and a place of a blob. */
        public Extent at(long fileOffset, int length, long blobOffset) {
            return new Extent(fileOffset, length, blobOffset, bytes.remaining(), codec, crc32c(bytes));
        }
    }

    /** Encodes the remaining bytes, without moving the buffer; falls back to {@link Codec#NONE} when nothing is gained. */
    public static Stored encode(Codec wanted, ByteBuffer bytes) {
        if (wanted == Codec.DEFLATE) {
            ByteBuffer smaller = ByteBuffer.allocate(Math.max(0, bytes.remaining() - 1));
            if (Deflate.deflate(bytes, smaller, Deflater.DEFAULT_COMPRESSION)) {
                return new Stored(Codec.DEFLATE, smaller.flip());
            }
        }
        return new Stored(Codec.NONE, bytes.slice());
    }

    /**
     * Checks an extent's stored bytes and decodes them. The result may be a view of the input.
     *
     * @param blob the blob's name, for the message
     * @throws CorruptBlobException when the checksum or a length is wrong
     */
    public static ByteBuffer decode(String blob, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        if (stored.remaining() != extent.storedLength()) {
            throw new CorruptBlobException("%s: %d bytes for the extent at %d+%d"
                    .formatted(blob, stored.remaining(), extent.blobOffset(), extent.storedLength()));
        }
        int actual = crc32c(stored);
        if (actual != extent.crc32c()) {
            throw new CorruptBlobException("%s: extent at %d+%d has crc %08x, want %08x"
                    .formatted(blob, extent.blobOffset(), extent.storedLength(), actual, extent.crc32c()));
        }
        if (extent.codec() == Codec.NONE) {
            return stored.slice();
        }
        byte[] bytes = new byte[extent.length()];
        try {
            Deflate.inflate(stored, bytes);
        } catch (DataFormatException e) {
            throw new CorruptBlobException(
                    "%s: extent at %d+%d does not inflate to %d bytes: %s"
                            .formatted(
                                    blob, extent.blobOffset(), extent.storedLength(), extent.length(), e.getMessage()),
                    e);
        }
        return ByteBuffer.wrap(bytes);
    }

    /** CRC32C of the remaining bytes, without moving the buffer. */
    public static int crc32c(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    static int number(Codec codec) {
        return codec == Codec.NONE ? 0 : 1;
    }

    static Optional<Codec> byNumber(int number) {
        return switch (number) {
            case 0 -> Optional.of(Codec.NONE);
            case 1 -> Optional.of(Codec.DEFLATE);
            default -> Optional.empty();
        };
    }
}
