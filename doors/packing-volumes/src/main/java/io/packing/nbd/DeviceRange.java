// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

/**
 * A range of a device.
 *
 * @param isHole true if it has no bytes, and reads as zeros
 */
public record DeviceRange(long offset, long length, boolean isHole) {
    public DeviceRange {
        if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("no range of %d bytes at %d".formatted(length, offset));
        }
    }

    /** Returns the offset behind the last byte. */
    public long end() {
        return offset + length;
    }
}
