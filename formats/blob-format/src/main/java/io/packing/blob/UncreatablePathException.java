package io.packing.blob;

import java.io.IOException;

/** A path at which no caller can create anything: it is in a snapshot, or too long. */
public final class UncreatablePathException extends IOException {
    private static final long serialVersionUID = 1;

    public UncreatablePathException(String message) {
        super(message);
    }
}
