// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.buffers.Slices;
import io.packing.encryption.Keystore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A check of every byte of a blob, in body order, with few reads. Memory: one read, and the list of extents. */
public final class BlobVerifier {
    /** For a blob of this process, the check decrypts one of this many encrypted extents. */
    private static final int OWN_DECRYPTED = 16;

    private final RangeSource source;
    private final long footerOffset;
    private final CRC32C gaps = new CRC32C();
    /**
     * The bytes from {@link #windowStart} on, from 0 to the limit. Direct, so that a read of a file copies nothing in
     * between.
     */
    private ByteBuffer window = ByteBuffer.allocateDirect(0);

    private long windowStart;
    private long gapBytes;
    private boolean again;
    private final Windows windows = new Windows();

    /** An extent, and the file of its content. */
    private record Placed(long fileId, Extent extent) {}

    private BlobVerifier(RangeSource source, long footerOffset) {
        this.source = source;
        this.footerOffset = footerOffset;
    }

    /** Verifies a whole blob without keys. */
    public static VerifiedBlob verify(RangeSource source) throws IOException {
        return verify(source, Keystore.NONE);
    }

    /**
     * Verifies a whole blob: header, trailer, footer, every extent's checksum and decoding, and the gaps.
     *
     * @param keystore gives the key when the blob is encrypted
     * @throws CorruptBlobException with the first fault
     */
    public static VerifiedBlob verify(RangeSource source, Keystore keystore) throws IOException {
        return verify(source, keystore, 1);
    }

    /**
     * Verifies a blob that this process has just written: as {@link #verify} does, but decrypts only one in sixteen
     * encrypted extents. The checksums of all cover the output of the cipher, whose input was checked.
     *
     * @param keystore gives the key when the blob is encrypted
     * @throws CorruptBlobException with the first fault
     */
    public static VerifiedBlob verifyOwn(RangeSource source, Keystore keystore) throws IOException {
        return verify(source, keystore, OWN_DECRYPTED);
    }

    private static VerifiedBlob verify(RangeSource source, Keystore keystore, int oneIn) throws IOException {
        BlobReader reader = BlobReader.open(source, keystore);
        Footer footer = reader.footer();
        int version = SoundRead.of(source, 0, BlobHeader.SIZE, header -> BlobHeader.check(source.name(), header));
        if (version != footer.version()) {
            throw new CorruptBlobException("%s: the header has version %d, the trailer %d"
                    .formatted(source.name(), version, footer.version()));
        }
        Optional<Dictionary> dictionary = reader.dictionary();
        Placed[] all = footer.stream()
                .flatMap(file -> file.extents().stream()
                        .map(extent -> new Placed(file.version().id(), extent)))
                .toArray(Placed[]::new);
        Arrays.sort(all, Comparator.comparingLong(placed -> placed.extent.blobOffset()));
        Decoding with = new Decoding(0, reader.key(), dictionary);

        BlobVerifier verifier = new BlobVerifier(source, footer.footerOffset());
        long fileBytes = 0;
        long at = footer.bodyStart();
        for (int i = 0; i < all.length; i++) {
            Placed placed = all[i];
            Extent extent = placed.extent;
            boolean decoded = i % oneIn == 0 || !extent.codec().isEncrypted();
            verifier.gap(at, extent.blobOffset());
            fileBytes += SoundRead.of(
                    verifier.windows,
                    extent.blobOffset(),
                    extent.storedLength(),
                    stored -> decoded
                            ? ExtentCodec.verify(source.name(), extent, stored, with.of(placed.fileId))
                            : ExtentCodec.checked(source.name(), extent, stored));
            at = extent.blobEnd();
        }
        verifier.gap(at, footer.footerOffset());
        for (int tries = 1; (int) verifier.gaps.getValue() != footer.gapCrc(); tries++) {
            if (tries == SoundRead.TRIES) {
                throw new CorruptBlobException("%s: gaps have crc %08x, want %08x"
                        .formatted(source.name(), (int) verifier.gaps.getValue(), footer.gapCrc()));
            }
            verifier.gapsAgain(footer.bodyStart(), all);
        }
        return new VerifiedBlob(
                source.length(),
                footer.footerOffset(),
                footer.fileCount(),
                all.length,
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

    /** Reads all gaps again, since it is not known which of them was damaged. */
    private void gapsAgain(long bodyStart, Placed[] all) throws IOException {
        again = true;
        window.limit(0);
        windowStart = 0;
        gaps.reset();
        gapBytes = 0;
        long at = bodyStart;
        for (Placed placed : all) {
            Extent extent = placed.extent;
            gap(at, extent.blobOffset());
            at = extent.blobEnd();
        }
        gap(at, footerOffset);
    }

    /** Returns a view of body bytes; reads on when the window does not hold them all. */
    private ByteBuffer bytes(long offset, int length) throws IOException {
        if (offset + length > windowStart + window.limit()) {
            fill(offset, (int) Math.min(Math.max(length, source.sequentialReadBytes()), footerOffset - offset));
        }
        return Slices.of(window, (int) (offset - windowStart), length);
    }

    private void fill(long offset, int count) throws IOException {
        if (window.capacity() < count) {
            window = ByteBuffer.allocateDirect(count);
        }
        window.limit(0);
        windowStart = offset;
        ByteBuffer filled = window.duplicate().clear().limit(count);
        if (again) {
            fillAgain(offset, filled);
        } else {
            try {
                source.read(offset, filled);
            } catch (CorruptBlobException e) {
                fillAgain(offset, filled.clear().limit(count));
            }
        }
        window.limit(count);
    }

    private void fillAgain(long offset, ByteBuffer into) throws IOException {
        into.put(SoundRead.exactly(source, offset, into.remaining(), source.readAgain(offset, into.remaining())));
    }

    /** The body, whose windows this class reads; a damaged extent is read again alone. */
    private final class Windows implements RangeSource {
        @Override
        public String name() {
            return source.name();
        }

        @Override
        public long length() throws IOException {
            return source.length();
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            return bytes(offset, length);
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            return source.readAgain(offset, length);
        }
    }
}
