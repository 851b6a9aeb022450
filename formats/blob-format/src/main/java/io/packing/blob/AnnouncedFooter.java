// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/**
 * The end of a blob whose upload began while its body grew: a footer and a trailer. Their length was announced before
 * the files were known. Empty blocks before the footer's DEFLATE stream fill the room (RFC 1951, sections 3.2.4 and
 * 3.2.6).
 */
public final class AnnouncedFooter {
    /** The bytes behind a stored footer. */
    public static final int TRAILER_BYTES = BlobTrailer.SIZE;

    /** An empty stored block: it starts and ends at a byte. */
    private static final byte[] STORED = {0, 0, 0, -1, -1};
    /** An empty block of fixed codes, and an empty stored block up to the end of a byte. */
    private static final byte[] FIXED_AND_STORED = {2, 0, 0, 0, -1, -1};

    /** Writers wait for this footer: it takes a tenth more than others, and a quarter of their time. */
    private static final int LEVEL = Deflater.BEST_SPEED;

    private static final int GAP_BUFFER = 64 << 10;

    private AnnouncedFooter() {}

    /** The bytes of a body that no extent names. */
    public interface Gaps {
        /**
         * Returns the checksum of all gaps, if it is known.
         *
         * @param covered bytes of the body that extents name
         */
        OptionalInt crc32c(long covered);

        /** Fills a buffer with bytes of gaps, from an offset. */
        void read(long offset, ByteBuffer into) throws IOException;
    }

    /**
     * A finished end of a blob.
     *
     * @param bytes from the footer offset to the end of the blob
     */
    public record End(ByteBuffer bytes, FinishedBlob blob) {}

    /** Returns the bytes that the footer of these files takes at least. */
    public static int storedBytes(List<PackedFile> files) {
        FooterEncoder.Sections none = new FooterEncoder.Sections(0, 0);
        byte[] inflated = FooterEncoder.encode(files, FooterWriter.version(files, Optional.empty()), none);
        return FooterWriter.deflate(inflated, LEVEL).remaining();
    }

    /**
     * Finishes a body without dictionary and key.
     *
     * @param room for the stored footer, which has exactly so many bytes
     * @return empty if the footer does not fit
     * @throws IllegalArgumentException as {@link FooterWriter#finish} does
     */
    public static Optional<End> finish(List<PackedFile> files, long footerOffset, int room, Gaps gaps)
            throws IOException {
        int version = FooterWriter.version(files, Optional.empty());
        if (version != BlobHeader.VERSION_1) {
            throw new IllegalArgumentException(
                    "the header of a body of version %d is there already".formatted(version));
        }
        byte[] inflated = FooterEncoder.encode(files, version, new FooterEncoder.Sections(0, 0));
        BodyMap map = FooterWriter.check(version, footerOffset, files.size(), inflated);
        ByteBuffer deflated = FooterWriter.deflate(inflated, LEVEL);
        if (room > BlobTrailer.MAX_STORED || !fits(room - deflated.remaining())) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.allocate(room + BlobTrailer.SIZE);
        pad(bytes, room - deflated.remaining());
        bytes.put(deflated);
        int crc = ExtentCodec.crc32c(bytes.duplicate().flip());
        BlobTrailer trailer =
                new BlobTrailer(version, footerOffset, room, inflated.length, files.size(), crc, gapCrc(map, gaps));
        bytes.put(trailer.bytes()).flip();
        return Optional.of(new End(
                bytes,
                new FinishedBlob(
                        footerOffset,
                        trailer.blobLength(),
                        files.size(),
                        map.size(),
                        map.coveredBytes(),
                        Framing.of(footerOffset, trailer.blobLength(), files))));
    }

    /** Returns whether blocks of five and six bytes fill so many bytes. */
    private static boolean fits(int padding) {
        return padding >= 0 && padding % STORED.length <= padding / STORED.length;
    }

    private static void pad(ByteBuffer into, int padding) {
        int longer = padding % STORED.length;
        for (int i = 0; i < longer; i++) {
            into.put(FIXED_AND_STORED);
        }
        for (int i = longer; i < padding / STORED.length; i++) {
            into.put(STORED);
        }
    }

    private static int gapCrc(BodyMap map, Gaps gaps) throws IOException {
        OptionalInt known = gaps.crc32c(map.coveredBytes());
        if (known.isPresent()) {
            return known.getAsInt();
        }
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate(GAP_BUFFER);
        map.forEachGap((offset, length) -> {
            for (long at = offset; at < offset + length; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(GAP_BUFFER, offset + length - at));
                gaps.read(at, buffer);
                crc.update(buffer.flip());
            }
        });
        return (int) crc.getValue();
    }
}
