// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of a blob that serve its files without being theirs: header, dictionary, heads of records, footer and
 * trailer. They are neither the bytes of a file nor dead. Gaps beyond the heads of the files in the footer are dead:
 * the worker's segment had other files there, which were deleted before it became a blob.
 */
public final class Framing {
    /** The start of a worker's segment: the header of a blob, and the segment's number among the uses of its file. */
    public static final int START_BYTES = BlobHeader.SIZE + 16;

    /** The head of a record in a worker's segment, without path, owner and group. */
    public static final int RECORD_BYTES = 64;

    private final long footerOffset;
    private final long length;
    private long stored;
    private long heads = START_BYTES;

    /**
     * Begins with a blob without files.
     *
     * @param length all bytes, trailer included
     */
    public Framing(long footerOffset, long length) {
        this.footerOffset = footerOffset;
        this.length = length;
    }

    /** Returns the framing of a blob whose footer lists these files. */
    public static long of(long footerOffset, long length, Iterable<PackedFile> files) {
        Framing framing = new Framing(footerOffset, length);
        files.forEach(framing::add);
        return framing.bytes();
    }

    /** Adds a file of the footer. */
    public void add(PackedFile file) {
        long here = 0;
        for (Extent extent : file.extents()) {
            stored += extent.storedLength();
            here += extent.length();
        }
        // Each slice of a large file has a record, and its end has one more.
        int slices = file.extents().size();
        boolean isSliced = slices > 1 || here < file.attributes().length();
        long records = isSliced ? slices + 1L : 1;
        int names = utf8Bytes(file.path().value())
                + utf8Bytes(file.attributes().owner())
                + utf8Bytes(file.attributes().group());
        heads += records * (RECORD_BYTES + names);
    }

    private static int utf8Bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the framing of the blob with the added files. */
    public long bytes() {
        return length - footerOffset + Math.min(footerOffset - stored, heads);
    }
}
