package io.packing.worker.disk;

import io.packing.blob.BlobName;

/**
 * A page of a blob's body: what caches are keyed by. No file is in it, so whoever has these bytes shares the page.
 *
 * @param number of the page in the blob; its bytes start at {@code number * BYTES}
 */
public record BlobPage(BlobName blob, long number) {
    /** The size of every page but a blob's last. */
    public static final int BYTES = 256 << 10;

    public BlobPage {
        if (number < 0) {
            throw new IllegalArgumentException("%s has no page %d".formatted(blob, number));
        }
    }

    public long offset() {
        return number * BYTES;
    }

    /** Bytes of the page: fewer than {@link #BYTES} of a blob's last; 0: the blob has no such page. */
    public int length() {
        return number > blob.footerOffset() / BYTES ? 0 : (int) Math.min(BYTES, blob.footerOffset() - offset());
    }
}
