package io.packing.bdt;

import java.io.IOException;

/** The master or a worker cannot be reached. Retry: nothing was lost. */
public class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
