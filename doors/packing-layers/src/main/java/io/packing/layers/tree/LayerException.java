package io.packing.layers.tree;

import java.io.IOException;

/** A blob is no layer of which a tree can be made; the message says why. It never will be: blobs do not change. */
public final class LayerException extends IOException {
    private static final long serialVersionUID = 1L;

    public LayerException(String message) {
        super(message);
    }
}
