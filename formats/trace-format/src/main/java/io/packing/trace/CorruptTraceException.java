package io.packing.trace;

import java.io.IOException;

/** Bytes are not those that were written, or not of a trace that this version reads. Trying again is no use. */
public final class CorruptTraceException extends IOException {
    private static final long serialVersionUID = 1;

    public CorruptTraceException(String message) {
        super(message);
    }

    public CorruptTraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
