package io.packing.layers.tree;

import java.io.IOException;

/** A blob is no layer of which a tree can be made; the message says why. It never will be: blobs do not change. */
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

    /** The layer could be read, and has more than a layer may have. */
    public static LayerException overLimit(String message) {
        return new LayerException(message, true);
    }

    /** Whether the layer has more than a layer may have. */
    public boolean isOverLimit() {
        return overLimit;
    }
}
