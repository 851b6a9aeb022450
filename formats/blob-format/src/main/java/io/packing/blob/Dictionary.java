// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A Zstandard dictionary of the common parts of a blob's small files. It stands once in the blob, between header and
 * body, and compresses extents of {@link Codec#ZSTD_DICTIONARY} (blob-format.md, section 2.1). Immutable.
 */
public final class Dictionary {
    // Little-endian, from BlobHeader.SIZE:  0:4 length  4:8 crc  8:12 CRC32C of 0:8  12: the dictionary
    private static final int HEAD = 12;
    private static final int CRC_AT = 4;
    private static final int HEAD_CRC_AT = 8;

    private static final int MAGIC = 0xEC30_A437;
    private static final int LEAST_LENGTH = 8;

    /** The most bytes of a dictionary. */
    public static final int MAX_LENGTH = 128 << 10;

    static final int LEAST_SECTION = HEAD + LEAST_LENGTH;
    static final int MAX_SECTION = HEAD + MAX_LENGTH;

    private final byte[] bytes;
    private final int number;

    private Dictionary(byte[] bytes) {
        this.bytes = bytes;
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        boolean sane = bytes.length >= LEAST_LENGTH
                && bytes.length <= MAX_LENGTH
                && all.getInt(0) == MAGIC
                && all.getInt(4) != 0;
        if (!sane) {
            throw new IllegalArgumentException(
                    "%d bytes are no dictionary of Zstandard: too few, too many, or without its magic and number"
                            .formatted(bytes.length));
        }
        this.number = all.getInt(4);
    }

    /** Returns a dictionary in the format of RFC 8878, section 5. */
    public static Dictionary of(byte[] bytes) {
        return new Dictionary(bytes.clone());
    }

    /**
     * Makes a dictionary from samples.
     *
     * @param mostBytes of the dictionary; samples should have a hundred times as many
     * @return empty when the samples are too few or too different
     */
    public static Optional<Dictionary> train(List<byte[]> samples, int mostBytes) {
        int total = samples.stream().mapToInt(sample -> sample.length).sum();
        ZstdDictTrainer trainer = new ZstdDictTrainer(total, Math.min(mostBytes, MAX_LENGTH));
        for (byte[] sample : samples) {
            if (!trainer.addSample(sample)) {
                throw new IllegalStateException("samples of %d bytes do not fit".formatted(total));
            }
        }
        try {
            return Optional.of(new Dictionary(trainer.trainSamples()));
        } catch (ZstdException e) {
            // The library has no error of its own for samples that are too few or too different.
            return Optional.empty();
        }
    }

    /**
     * Reads and checks the dictionary of a blob, with one read.
     *
     * @param bodyEnd the start of the blob's footer
     * @throws CorruptBlobException when the dictionary is missing or damaged
     */
    public static Dictionary read(RangeSource source, long bodyEnd) throws IOException {
        return read(source, bodyEnd, Optional.empty());
    }

    /**
     * Reads and checks the dictionary of a blob, with one read.
     *
     * @param bodyEnd the start of the blob's footer
     * @param key of the blob, if it is encrypted
     * @throws CorruptBlobException when the dictionary is missing or damaged
     */
    public static Dictionary read(RangeSource source, long bodyEnd, Optional<BlobKey> key) throws IOException {
        long at = offset(key);
        long room = bodyEnd - at;
        if (room < LEAST_SECTION) {
            throw missing(source.name());
        }
        int length = (int) Math.min(room, MAX_SECTION + (key.isPresent() ? BlobKey.TAG_BYTES : 0));
        return SoundRead.of(source, at, length, start -> parse(source.name(), start, at, key));
    }

    /** Returns the offset of the section. */
    private static long offset(Optional<BlobKey> key) {
        return (long) BlobHeader.SIZE + key.map(BlobKey::sectionBytes).orElse(0);
    }

    private static Dictionary parse(String blob, ByteBuffer start, long at, Optional<BlobKey> key)
            throws CorruptBlobException {
        ByteBuffer section = start.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (ExtentCodec.crc32c(Slices.of(section, 0, HEAD_CRC_AT)) != section.getInt(HEAD_CRC_AT)) {
            throw missing(blob);
        }
        int length = section.getInt(0);
        if (length < LEAST_LENGTH || length > section.remaining() - HEAD) {
            throw new CorruptBlobException("%s: a dictionary of %s bytes does not fit into the blob"
                    .formatted(blob, Integer.toUnsignedString(length)));
        }
        ByteBuffer content = Slices.of(section, HEAD, length);
        int actual = ExtentCodec.crc32c(content);
        if (actual != section.getInt(CRC_AT)) {
            throw new CorruptBlobException(
                    "%s: dictionary crc %08x, want %08x".formatted(blob, actual, section.getInt(CRC_AT)));
        }
        ByteBuffer plain = key.isPresent() ? key.get().decryptDictionary(blob, at, content) : content;
        byte[] bytes = new byte[plain.remaining()];
        plain.get(bytes);
        try {
            return new Dictionary(bytes);
        } catch (IllegalArgumentException e) {
            throw new CorruptBlobException("%s: bad dictionary: %s".formatted(blob, e.getMessage()), e);
        }
    }

    private static CorruptBlobException missing(String blob) {
        return new CorruptBlobException(
                "%s: there is no sound dictionary behind the header, and an extent needs one".formatted(blob));
    }

    /** Returns the section's bytes in the blob. */
    ByteBuffer section(Optional<BlobKey> key) {
        ByteBuffer plain = ByteBuffer.wrap(bytes);
        ByteBuffer stored = key.isPresent() ? key.get().encryptDictionary(offset(key), plain) : plain;
        ByteBuffer section = ByteBuffer.allocate(HEAD + stored.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        section.putInt(stored.remaining()).putInt(ExtentCodec.crc32c(stored));
        section.putInt(ExtentCodec.crc32c(Slices.of(section, 0, HEAD_CRC_AT))).put(stored);
        return section.flip();
    }

    /** Returns the length of the section in a blob. */
    int sectionBytes(Optional<BlobKey> key) {
        return sectionBytes() + (key.isPresent() ? BlobKey.TAG_BYTES : 0);
    }

    /** Returns the length of the section in a blob that is not encrypted. */
    public int sectionBytes() {
        return HEAD + bytes.length;
    }

    /** Returns the number by which frames name it; 32 bits. */
    int number() {
        return number;
    }

    /** Returns the bytes without a copy, for the library, which only reads them. */
    byte[] bytes() {
        return bytes;
    }

    /** Decompresses into the whole target. Returns a length or an error of the library. */
    long decompress(byte[] target, byte[] stored) {
        return Zstd.decompressUsingDict(target, 0, stored, 0, stored.length, bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dictionary that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
