package io.packing.blob;

import java.io.IOException;

/** The bytes of a blob are not what the format says. Never retry: read another copy, or restore the blob. */
public final class CorruptBlobException extends IOException {
    private static final long serialVersionUID = 1L;

    public CorruptBlobException(String message) {
        super(message);
    }

    public CorruptBlobException(String message, Throwable cause) {
        super(message, cause);
    }
}
