package io.packing.registry.dedup;

import java.io.IOException;

/** A stream is no tar archive that can be cut into headers and contents. */
public final class NotATarException extends IOException {
    private static final long serialVersionUID = 1L;

    NotATarException(String message) {
        super(message);
    }
}
