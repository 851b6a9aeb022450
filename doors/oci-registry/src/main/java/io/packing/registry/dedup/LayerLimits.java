// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

/**
 * Limits of the tar in a layer. A client chooses the inflated bytes and the entries of its layer, so both are checked
 * before and while the registry reads the layer.
 *
 * @param bytes of the tar, however large the layer is
 * @param free bytes that any layer may inflate to, however small it is
 * @param ratio bytes of the tar for each byte of the layer, beyond {@code free}
 * @param entries of the tar
 */
public record LayerLimits(long bytes, long free, int ratio, int entries) {
    /** Tars of up to 64 GB, 100 times the layer, with 500,000 entries. */
    public static final LayerLimits DEFAULT = new LayerLimits(64L << 30, 256L << 20, 100, 500_000);

    public LayerLimits {
        if (bytes < 1 || free < 1 || ratio < 1 || entries < 1) {
            throw new IllegalArgumentException(
                    "limits of %d bytes, %d free, %d:1, %d entries".formatted(bytes, free, ratio, entries));
        }
    }

    /** Returns these limits with another number of bytes. */
    LayerLimits withBytes(long most) {
        return new LayerLimits(most, free, ratio, entries);
    }

    /** Returns the most bytes of the tar in a layer of a length. */
    long tarBytes(long length) {
        long inflated = length > Long.MAX_VALUE / ratio ? Long.MAX_VALUE : length * ratio;
        return Math.min(bytes, Math.max(free, inflated));
    }
}
