// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.Arrays;
import java.util.HexFormat;

/** The value of an extended attribute: immutable bytes. */
public final class ExtendedValue {
    /** The longest value, in bytes. */
    public static final int MOST_BYTES = 64 << 10;

    private final byte[] bytes;

    public ExtendedValue(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExtendedValue value && Arrays.equals(bytes, value.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 32)) + (bytes.length > 32 ? "..." : "");
    }
}
