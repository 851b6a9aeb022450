package io.packing.worker.api;

import java.io.IOException;

/** The worker was told to leave and takes no new files; the file was not stored. Another worker takes it. */
public final class LeavingException extends IOException {
    private static final long serialVersionUID = 1;

    public LeavingException(String message) {
        super(message);
    }
}
