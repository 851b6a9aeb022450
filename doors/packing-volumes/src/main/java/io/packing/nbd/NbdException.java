// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.IOException;

/** A failed request, with the error that its client gets. */
public final class NbdException extends IOException {
    private static final long serialVersionUID = 1;

    private final NbdError error;

    public NbdException(NbdError error, String message) {
        super(message);
        this.error = error;
    }

    public NbdException(NbdError error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    public NbdError error() {
        return error;
    }

    /** Returns the error that a client gets for a failure. */
    static NbdError of(Throwable failure) {
        return failure instanceof NbdException known ? known.error() : NbdError.EIO;
    }
}
