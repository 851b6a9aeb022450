// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.blob.Extent;
import io.packing.blob.FileVersion;

/**
 * An extent of the table, as short as it can be found again in a footer.
 *
 * @param blob number
 * @param print 64 bits of all that a footer says of the extent
 * @param content whether the version is a content that several files may have
 */
record ExtentMark(long blob, long print, FileVersion version, boolean content) {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** Returns a hash of the values in which the table and a footer must agree. */
    static long print(FileVersion version, Extent extent) {
        long mixed = mix(0, version.id());
        mixed = mix(mixed, version.generation());
        mixed = mix(mixed, extent.fileOffset());
        mixed = mix(mixed, extent.blobOffset());
        mixed = mix(mixed, (long) extent.length() << 32 | extent.storedLength());
        return mix(mixed, (long) extent.crc32c() << 2 | extent.codec().number());
    }

    private static long mix(long sum, long value) {
        long mixed = (sum ^ value) * MULTIPLIER;
        return mixed ^ mixed >>> 29;
    }
}
