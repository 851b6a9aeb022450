// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/**
 * The writer of the footer and the trailer, which turn a file with a header and a body into a blob (blob-format.md, 3
 * and 4).
 */
public final class FooterWriter {
    private static final int GAP_BUFFER = 64 << 10;

    private FooterWriter() {}

    /**
     * Finishes the body, which ends at the channel's present end. Bytes of the body that no file's extent names become
     * gaps; this method reads them for their checksum. It does not sync.
     *
     * @param channel readable and writable; starts with {@link BlobHeader#bytes()}
     * @param files in any order
     * @throws IllegalArgumentException when the files break a rule of the format: overlapping extents, extents outside
     *     the body, an id that occurs twice, or more than a footer may hold
     * @throws CorruptBlobException when the file does not start with a blob header
     */
    public static FinishedBlob finish(FileChannel channel, List<PackedFile> files) throws IOException {
        return finish(channel, files, Optional.empty(), Optional.empty());
    }

    /**
     * Finishes a body, see {@link #finish(FileChannel, List)}.
     *
     * @param dictionary that stands before the body
     * @param key whose section stands behind the header
     */
    static FinishedBlob finish(
            FileChannel channel, List<PackedFile> files, Optional<Dictionary> dictionary, Optional<BlobKey> key)
            throws IOException {
        long footerOffset = channel.size();
        ByteBuffer header = ByteBuffer.allocate((int) Math.min(BlobHeader.SIZE, footerOffset));
        readFully(channel, header, 0);
        BlobHeader.check("unfinished blob", header.flip());

        int version = key.isPresent() ? BlobHeader.VERSION_3 : version(files, dictionary);
        FooterEncoder.Sections sections = new FooterEncoder.Sections(
                key.map(BlobKey::sectionBytes).orElse(0),
                dictionary.map(each -> each.sectionBytes(key)).orElse(0));
        byte[] inflated = FooterEncoder.encode(files, version, sections);
        BodyMap map = check(version, footerOffset, files.size(), inflated);
        ByteBuffer deflated = deflate(inflated);
        BlobTrailer unchecked = new BlobTrailer(
                version,
                footerOffset,
                deflated.remaining() + (key.isPresent() ? BlobKey.TAG_BYTES : 0),
                inflated.length,
                files.size(),
                0,
                gapCrc(channel, map));
        ByteBuffer stored = key.isPresent() ? key.get().encryptFooter(unchecked, deflated) : deflated;
        BlobTrailer trailer = unchecked.withFooterCrc(ExtentCodec.crc32c(stored));
        ByteBuffer end = ByteBuffer.allocate(stored.remaining() + BlobTrailer.SIZE);
        end.put(stored).put(trailer.bytes()).flip();
        if (version != BlobHeader.VERSION_1) {
            writeFully(channel, BlobHeader.bytes(version), 0);
        }
        writeFully(channel, end, footerOffset);
        return new FinishedBlob(
                footerOffset,
                trailer.blobLength(),
                files.size(),
                map.size(),
                map.coveredBytes(),
                Framing.of(footerOffset, trailer.blobLength(), files));
    }

    /** Returns the oldest version with the features that the blob needs. */
    static int version(List<PackedFile> files, Optional<Dictionary> dictionary) {
        int version = dictionary.isPresent() ? BlobHeader.VERSION_2 : BlobHeader.VERSION_1;
        for (PackedFile file : files) {
            for (Extent extent : file.extents()) {
                version = Math.max(version, extent.codec().sinceVersion());
            }
        }
        return version;
    }

    /** Applies the reader's check, so that the writer refuses a blob that readers would reject. */
    static BodyMap check(int version, long footerOffset, int files, byte[] inflated) {
        try {
            BlobTrailer trailer = new BlobTrailer(version, footerOffset, 0, inflated.length, files, 0, 0);
            return Footer.check("new blob", trailer, inflated);
        } catch (CorruptBlobException e) {
            throw new IllegalArgumentException("the files do not make a blob: " + e.getMessage(), e);
        }
    }

    static ByteBuffer deflate(byte[] inflated) {
        return deflate(inflated, Deflater.DEFAULT_COMPRESSION);
    }

    static ByteBuffer deflate(byte[] inflated, int level) {
        ByteBuffer stored = ByteBuffer.allocate(inflated.length + (inflated.length >> 10) + 64);
        boolean fits = Deflate.deflate(ByteBuffer.wrap(inflated), stored, level);
        // Readers refuse a footer that looks like a decompression bomb; see blob-format.md, section 7.
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

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long offset) throws IOException {
        for (long at = offset; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
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
