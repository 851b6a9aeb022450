package io.packing.encryption;

import java.io.IOException;

/** A key is not there, or is not the one that is needed. The message names it and says what to do. What it encrypted is not damaged. */
public final class KeyUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public KeyUnavailableException(String message) {
        super(message);
    }

    public KeyUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
