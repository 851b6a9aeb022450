// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import java.io.IOException;

/** A blob from which no tree can be made; the message gives the reason. This is final: blobs do not change. */
public final class LayerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean overLimit;

    public LayerException(String message) {
        this(message, false);
    }

    private LayerException(String message, boolean overLimit) {
        super(message);
        this.overLimit = overLimit;
    }

    /** Returns an exception for a layer that could be read, and is beyond a limit. */
    public static LayerException overLimit(String message) {
        return new LayerException(message, true);
    }

    /** Returns whether the layer is beyond a limit. */
    public boolean isOverLimit() {
        return overLimit;
    }
}
