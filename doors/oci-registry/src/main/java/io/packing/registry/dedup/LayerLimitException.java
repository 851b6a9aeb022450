// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.IOException;

/**
 * A layer beyond the {@link LayerLimits}; the message names the limit, and the client's choices. It stays beyond:
 * blobs do not change.
 */
public final class LayerLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    private final DedupCase found;

    private LayerLimitException(DedupCase found, String message) {
        super(message);
        this.found = found;
    }

    /** Returns the error for a layer whose tar has more bytes than the limit, or says so. */
    static LayerLimitException bytes(long most) {
        return new LayerLimitException(
                DedupCase.TOO_LARGE,
                "its tar has more than %,d bytes, which is the limit for a layer of its size; push smaller or uncompressed layers"
                        .formatted(most));
    }

    /** Returns the error for a layer with more entries, or different files, than the limit. */
    static LayerLimitException entries(String what, int most) {
        return new LayerLimitException(
                DedupCase.TOO_MANY_FILES,
                "its tar has more than %,d %s, which is the limit; push it as several layers".formatted(most, what));
    }

    DedupCase found() {
        return found;
    }
}
