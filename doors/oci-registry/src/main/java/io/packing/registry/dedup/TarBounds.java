// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

/**
 * The limits of a tar stream.
 *
 * @param bytes of the stream
 * @param exact whether the stream is known to have so many: an entry that says more is broken then, and else beyond a limit
 * @param entries of the tar
 */
record TarBounds(long bytes, boolean exact, int entries) {
    /** Returns the bounds of the tar in a layer of a length. */
    static TarBounds of(LayerLimits limits, LayerCompression compression, long length) {
        return compression == LayerCompression.NONE && length <= limits.bytes()
                ? new TarBounds(length, true, limits.entries())
                : new TarBounds(limits.tarBytes(length), false, limits.entries());
    }
}
