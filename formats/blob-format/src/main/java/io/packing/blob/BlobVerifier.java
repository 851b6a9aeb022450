package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.zip.CRC32C;

/** Checks every byte of a blob, in body order, with few reads. Memory: one read, and the list of extents. */
public final class BlobVerifier {
    private final RangeSource source;
    private final long footerOffset;
    private final CRC32C gaps = new CRC32C();
    /** The bytes from {@link #windowStart} on, from 0 to the limit. Direct: a file is read without a copy in between. */
    private ByteBuffer window = ByteBuffer.allocateDirect(0);

    private long windowStart;
    private long gapBytes;

    private BlobVerifier(RangeSource source, long footerOffset) {
        this.source = source;
        this.footerOffset = footerOffset;
    }

    /**
     * Verifies a whole blob: header, trailer, footer, every extent's checksum and decoding, and the gaps.
     *
     * @throws CorruptBlobException with the first fault
     */
    public static VerifiedBlob verify(RangeSource source) throws IOException {
        Footer footer = BlobReader.open(source).footer();
        BlobHeader.check(source.name(), source.read(0, BlobHeader.SIZE));
        Extent[] extents =
                footer.stream().flatMap(file -> file.extents().stream()).toArray(Extent[]::new);
        Arrays.sort(extents, Comparator.comparingLong(Extent::blobOffset));

        BlobVerifier verifier = new BlobVerifier(source, footer.footerOffset());
        long at = BlobHeader.SIZE;
        long fileBytes = 0;
        for (Extent extent : extents) {
            verifier.gap(at, extent.blobOffset());
            ByteBuffer stored = verifier.bytes(extent.blobOffset(), extent.storedLength());
            fileBytes += ExtentCodec.decode(source.name(), extent, stored).remaining();
            at = extent.blobEnd();
        }
        verifier.gap(at, footer.footerOffset());
        int gapCrc = (int) verifier.gaps.getValue();
        if (gapCrc != footer.gapCrc()) {
            throw new CorruptBlobException(
                    "%s: gaps have crc %08x, want %08x".formatted(source.name(), gapCrc, footer.gapCrc()));
        }
        return new VerifiedBlob(
                source.length(),
                footer.footerOffset(),
                footer.fileCount(),
                extents.length,
                fileBytes,
                footer.storedBytes(),
                verifier.gapBytes);
    }

    private void gap(long from, long to) throws IOException {
        gapBytes += to - from;
        for (long at = from; at < to; ) {
            int count = (int) Math.min(to - at, Extent.MAX_LENGTH);
            gaps.update(bytes(at, count));
            at += count;
        }
    }

    /** A view of body bytes; reads on when the window does not hold them all. */
    private ByteBuffer bytes(long offset, int length) throws IOException {
        if (offset + length > windowStart + window.limit()) {
            fill(offset, (int) Math.min(Math.max(length, source.sequentialReadBytes()), footerOffset - offset));
        }
        return window.slice((int) (offset - windowStart), length);
    }

    private void fill(long offset, int count) throws IOException {
        if (window.capacity() < count) {
            window = ByteBuffer.allocateDirect(count);
        }
        source.read(offset, window.clear().limit(count));
        windowStart = offset;
    }
}
