package io.packing.worker.api;

import java.io.IOException;

/**
 * A worker has no room for a file: its buffer or its disk is full, and was for as long as it waits. Nothing of the file is kept, and
 * the same write succeeds when there is room again; the message says how to make some.
 */
public final class BufferFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public BufferFullException(String message) {
        super(message);
    }
}
