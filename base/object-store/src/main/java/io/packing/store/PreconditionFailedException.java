package io.packing.store;

import java.io.IOException;

/** A conditional put lost: the object already exists. */
public final class PreconditionFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    public PreconditionFailedException(String message) {
        super(message);
    }

    public PreconditionFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
