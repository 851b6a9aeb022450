package io.packing.sorted;

import java.io.IOException;

/** The engine cannot open what is in the store's directory. Restore the directory, or remove it and rebuild. */
public final class DamagedStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
