// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The blob layouts by size of file, measured once for each power of two, since the footer's numbers have variable
 * length.
 */
final class Layouts {
    private final BlobLayout[] bySize = new BlobLayout[Long.SIZE + 1];

    /** Returns the layout of blobs of files of about this size. */
    BlobLayout of(long size) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(size);
        BlobLayout known = bySize[bits];
        if (known == null) {
            try {
                known = BlobLayout.measure(size);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            bySize[bits] = known;
        }
        return known;
    }
}
