// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

/**
 * The limits of the engine's attempts.
 *
 * @param bytes the most of a blob, and of its inflated bytes; a larger blob stays as it is
 * @param gzip whether gzipped layers are tried
 */
public record DedupLimits(long bytes, boolean gzip) {
    /** Tars of up to 64 GB, no gzip. */
    public static final DedupLimits DEFAULT = new DedupLimits(64L << 30, false);

    public DedupLimits {
        if (bytes < 1) {
            throw new IllegalArgumentException("a limit of %d bytes".formatted(bytes));
        }
    }

    /** Returns the limits of one layer. */
    public LayerLimits layer() {
        return LayerLimits.DEFAULT.withBytes(bytes);
    }
}
