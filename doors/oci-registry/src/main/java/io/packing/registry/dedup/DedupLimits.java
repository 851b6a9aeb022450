package io.packing.registry.dedup;

/**
 * What the engine tries.
 *
 * @param bytes of a blob, and of what it inflates to; with more it stays as it is
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

    /** The limits of one layer. */
    public LayerLimits layer() {
        return LayerLimits.DEFAULT.withBytes(bytes);
    }
}
