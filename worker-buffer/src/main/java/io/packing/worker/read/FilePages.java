// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.worker.disk.BlobPage;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The pages of blobs that a read of a file needs: all pages of the extents with its bytes, since a read checks whole
 * extents.
 */
public final class FilePages {
    private FilePages() {}

    /** Returns the pages for a range of a file, by offset; none for buffered bytes and for holes. */
    public static Set<BlobPage> of(Placement placement, long offset, long length) {
        Set<BlobPage> pages = new LinkedHashSet<>();
        add(placement, offset, length, pages);
        return pages;
    }

    private static void add(Placement placement, long offset, long length, Set<BlobPage> pages) {
        if (placement instanceof Placement.Packed packed) {
            for (BlobExtent each : packed.extents()) {
                if (each.extent().fileOffset() < offset + length
                        && each.extent().fileEnd() > offset) {
                    add(each, pages);
                }
            }
        } else if (placement instanceof Placement.Mapped mapped) {
            for (Placement.Piece piece : mapped.pieces()) {
                long start = Math.max(offset, piece.offset());
                long end = Math.min(offset + length, piece.end());
                if (start < end) {
                    add(
                            piece.content().placement(),
                            piece.contentOffset() + start - piece.offset(),
                            end - start,
                            pages);
                }
            }
        }
    }

    private static void add(BlobExtent at, Set<BlobPage> pages) {
        long first = at.extent().blobOffset();
        long last = first + at.extent().storedLength() - 1;
        for (long number = first / BlobPage.BYTES; number <= last / BlobPage.BYTES; number++) {
            pages.add(new BlobPage(at.blob(), number));
        }
    }
}
