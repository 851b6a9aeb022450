package io.packing.blob;

import java.io.IOException;

/** A path at which nothing can ever be created, whoever asks: in a snapshot, or too long. */
public final class UncreatablePathException extends IOException {
    private static final long serialVersionUID = 1;

    public UncreatablePathException(String message) {
        super(message);
    }
}
