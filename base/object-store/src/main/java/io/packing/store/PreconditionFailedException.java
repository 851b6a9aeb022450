// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** The failure of a conditional put: the object exists already. */
public final class PreconditionFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    public PreconditionFailedException(String message) {
        super(message);
    }

    public PreconditionFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
