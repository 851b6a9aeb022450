// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.blob.BlobName;

/**
 * A page of a blob's body, the key of caches. It names no file, so all files with these bytes share the page.
 *
 * @param number of the page in the blob; its bytes start at {@code number * BYTES}
 */
public record BlobPage(BlobName blob, long number) {
    /** The size of every page except a blob's last. */
    public static final int BYTES = 256 << 10;

    public BlobPage {
        if (number < 0) {
            throw new IllegalArgumentException("%s has no page %d".formatted(blob, number));
        }
    }

    public long offset() {
        return number * BYTES;
    }

    /** Returns the bytes of the page: fewer than {@link #BYTES} for a blob's last one; 0: the blob has no such page. */
    public int length() {
        return number > blob.footerOffset() / BYTES ? 0 : (int) Math.min(BYTES, blob.footerOffset() - offset());
    }
}
