package io.packing.store;

import java.io.IOException;

/** The store cannot be reached or throttles, after all retries. Retry later: nothing was lost. */
public final class StoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
