// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.blob.ExtentCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A copy of all headers of a sealed segment, at its end, so that a restart reads them at once. The lengths of the pages
 * give their places.
 */
final class SegmentFooter {
    // Little-endian:
    //  0:4 magic (no header's: a scan of the pages ends here), the headers, and at the end of the file
    //  0:4 count of headers   4:8 bytes of the footer   8:12 CRC32C of the footer before it   12:16 magic
    private static final int MAGIC = 0x31_46_47_50;
    private static final int TRAILER = 16;
    private static final int CRC_AT = 8;
    /** The bytes of a footer without its headers. */
    static final int FIXED = Integer.BYTES + TRAILER;

    private SegmentFooter() {}

    /** Writes the footer after the pages; returns the size of the file. */
    static long write(FileChannel channel, long offset, List<PageHeader> headers) throws IOException {
        List<ByteBuffer> encoded = headers.stream().map(PageHeader::encode).toList();
        int size = FIXED + encoded.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer footer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        footer.putInt(MAGIC);
        encoded.forEach(footer::put);
        footer.putInt(headers.size()).putInt(size);
        footer.putInt(ExtentCodec.crc32c(footer.duplicate().flip())).putInt(MAGIC);
        PageSegment.write(channel, offset, footer.flip());
        return offset + size;
    }

    /** Reads the pages in a segment's footer; empty when it has none, or a damaged one. */
    static Optional<List<PageSegment.Found>> read(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size < FIXED) {
            return Optional.empty();
        }
        ByteBuffer trailer = PageSegment.read(channel, size - TRAILER, TRAILER).order(ByteOrder.LITTLE_ENDIAN);
        if (trailer.remaining() < TRAILER || trailer.getInt(12) != MAGIC) {
            return Optional.empty();
        }
        int length = trailer.getInt(4);
        if (length < FIXED || length > size) {
            return Optional.empty();
        }
        ByteBuffer footer = PageSegment.read(channel, size - length, length).order(ByteOrder.LITTLE_ENDIAN);
        int headersEnd = length - TRAILER;
        if (footer.remaining() < length
                || footer.getInt(0) != MAGIC
                || ExtentCodec.crc32c(footer.duplicate().limit(headersEnd + CRC_AT)) != trailer.getInt(CRC_AT)) {
            return Optional.empty();
        }
        return pages(footer.limit(headersEnd).position(Integer.BYTES), trailer.getInt(0), size - length);
    }

    private static Optional<List<PageSegment.Found>> pages(ByteBuffer headers, int count, long pagesEnd) {
        List<PageSegment.Found> found = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < count; i++) {
            Optional<PageHeader> header = PageHeader.decode(headers);
            if (header.isEmpty()) {
                return Optional.empty();
            }
            found.add(new PageSegment.Found(header.get(), at));
            at += header.get().recordBytes();
        }
        return at == pagesEnd ? Optional.of(found) : Optional.empty();
    }
}
