package io.packing.bdt;

import java.io.IOException;

/** The master answers, but the store behind it does not. Retry later: nothing was lost. */
public final class BackingStoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public BackingStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
