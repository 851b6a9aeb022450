package io.packing.layers.tree;

import java.util.Arrays;

/** The value of an extended attribute: bytes that nobody changes. */
public final class ExtendedValue {
    private final byte[] bytes;

    public ExtendedValue(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExtendedValue value && Arrays.equals(bytes, value.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
