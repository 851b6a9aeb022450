package io.packing.bdt;

import java.nio.file.AccessDeniedException;

/** The caller may not do what they asked for: a right on a file or directory is missing, or a role. Another try does not help. */
public final class DeniedException extends AccessDeniedException {
    private static final long serialVersionUID = 1L;

    /** @param message names who lacks which right on what */
    public DeniedException(String message) {
        super(message);
    }
}
