// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** A failure because the object does not exist. */
public final class ObjectNotFoundException extends IOException {
    private static final long serialVersionUID = 1L;

    public ObjectNotFoundException(String message) {
        super(message);
    }

    public ObjectNotFoundException(String message, Throwable cause) {
        super(message, cause);
    }
}
