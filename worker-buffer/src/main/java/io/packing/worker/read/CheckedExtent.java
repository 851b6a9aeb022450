package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.ExtentCodec;
import io.packing.worker.disk.BlobPage;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;

/**
 * An extent of several pages that was checked as a whole, with a checksum of what each page has of it. A part of it can be trusted by these,
 * also when its pages were fetched anew meanwhile. Thread-safe.
 */
final class CheckedExtent {
    private final BlobExtent at;
    private final int[] sums;
    /** The memory of each page that was compared with its sum last: it does not change. */
    private final AtomicReferenceArray<WeakReference<ByteBuffer>> sound;

    private CheckedExtent(BlobExtent at, int[] sums, AtomicReferenceArray<WeakReference<ByteBuffer>> sound) {
        this.at = at;
        this.sums = sums;
        this.sound = sound;
    }

    /**
     * Checks an extent that is stored as it is.
     *
     * @param pages all that it is in
     * @throws CorruptBlobException when its checksum is wrong
     */
    static CheckedExtent of(BlobExtent at, List<ByteBuffer> pages) throws CorruptBlobException {
        CRC32C all = new CRC32C();
        int[] sums = new int[pages.size()];
        AtomicReferenceArray<WeakReference<ByteBuffer>> sound = new AtomicReferenceArray<>(pages.size());
        CheckedExtent checked = new CheckedExtent(at, sums, sound);
        for (int i = 0; i < sums.length; i++) {
            ByteBuffer part = checked.part(checked.pageAt(0) + i, pages.get(i));
            sums[i] = ExtentCodec.crc32c(part);
            sound.set(i, new WeakReference<>(pages.get(i)));
            all.update(part);
        }
        if ((int) all.getValue() != at.extent().crc32c()) {
            throw new CorruptBlobException("%s: extent at %d+%d has crc %08x, want %08x"
                    .formatted(
                            at.blob(),
                            at.extent().blobOffset(),
                            at.extent().storedLength(),
                            (int) all.getValue(),
                            at.extent().crc32c()));
        }
        return checked;
    }

    /** How many pages it is in. */
    int pages() {
        return sums.length;
    }

    /** The number of the page that has a byte of the extent. */
    long pageAt(int offset) {
        return (at.extent().blobOffset() + offset) / BlobPage.BYTES;
    }

    /**
     * What a page has of a part of the extent.
     *
     * @param skip bytes of the extent before the part
     * @param count bytes of the part
     * @throws CorruptBlobException when the page has other bytes than when the extent was checked
     */
    ByteBuffer bytes(long number, ByteBuffer page, int skip, int count) throws CorruptBlobException {
        int index = (int) (number - pageAt(0));
        if (!isKnown(index, page)) {
            int sum = ExtentCodec.crc32c(part(number, page));
            if (sum != sums[index]) {
                throw new CorruptBlobException("%s: page %d has crc %08x for the extent at %d+%d, and had %08x"
                        .formatted(
                                at.blob(),
                                number,
                                sum,
                                at.extent().blobOffset(),
                                at.extent().storedLength(),
                                sums[index]));
            }
            sound.set(index, new WeakReference<>(page));
        }
        return BlobExtents.part(page, number, at.extent().blobOffset() + skip, count);
    }

    /** Buffers that are equal may still change apart, and are slow to compare. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isKnown(int index, ByteBuffer page) {
        WeakReference<ByteBuffer> last = sound.get(index);
        return last != null && last.get() == page;
    }

    private ByteBuffer part(long number, ByteBuffer page) {
        return BlobExtents.part(
                page, number, at.extent().blobOffset(), at.extent().storedLength());
    }
}
