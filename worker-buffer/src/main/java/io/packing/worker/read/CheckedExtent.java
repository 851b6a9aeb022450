// SPDX-License-Identifier: Apache-2.0
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
 * An extent of several pages that was checked as a whole, with a checksum for its part of each page. By these a reader
 * checks a part alone, also when its pages were fetched again. Thread-safe.
 */
final class CheckedExtent {
    private final BlobExtent at;
    private final int[] sums;
    /** The buffer of each page whose sum was compared last; its bytes do not change. */
    private final AtomicReferenceArray<WeakReference<ByteBuffer>> sound;

    private CheckedExtent(BlobExtent at, int[] sums, AtomicReferenceArray<WeakReference<ByteBuffer>> sound) {
        this.at = at;
        this.sums = sums;
        this.sound = sound;
    }

    /**
     * Checks an extent that is stored as it is.
     *
     * @param pages all pages of the extent
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

    /** Returns the number of its pages. */
    int pages() {
        return sums.length;
    }

    /** Returns the number of the page that has a byte of the extent. */
    long pageAt(int offset) {
        return (at.extent().blobOffset() + offset) / BlobPage.BYTES;
    }

    /**
     * Returns the bytes of a part of the extent that are in a page.
     *
     * @param skip bytes of the extent before the part
     * @param count bytes of the part
     * @throws CorruptBlobException when the page has other bytes than at the check of the extent
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

    /** Compares by reference: equal buffers may still change apart, and are slow to compare. */
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
