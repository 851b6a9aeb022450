// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;

/**
 * A range of a file's bytes.
 *
 * @param offset of the first byte
 * @param length of at least one byte
 */
public record ByteRange(FilePath path, long offset, long length) {
    public ByteRange {
        if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("%s: no range of %d bytes at %d".formatted(path, length, offset));
        }
    }

    /** Returns the offset behind the last byte. */
    public long end() {
        return offset + length;
    }

    @Override
    public String toString() {
        return "%s[%d:%d)".formatted(path, offset, end());
    }
}
