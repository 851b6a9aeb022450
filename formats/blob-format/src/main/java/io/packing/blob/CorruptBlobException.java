package io.packing.blob;

import java.io.IOException;

/**
 * The bytes of a blob are not what the format says. From {@link SoundRead}: they were wrong however often they were read, so
 * restore the blob from a copy.
 */
public final class CorruptBlobException extends IOException {
    private static final long serialVersionUID = 1L;

    public CorruptBlobException(String message) {
        super(message);
    }

    public CorruptBlobException(String message, Throwable cause) {
        super(message, cause);
    }
}
