package io.packing.store;

import java.io.IOException;

/** There is no such object. */
public final class ObjectNotFoundException extends IOException {
    private static final long serialVersionUID = 1L;

    public ObjectNotFoundException(String message) {
        super(message);
    }

    public ObjectNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}
