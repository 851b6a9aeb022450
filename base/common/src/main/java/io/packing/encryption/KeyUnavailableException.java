// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;

/**
 * A failure because a key is missing, or is not the right one. The message names it and the next step. The encrypted
 * data are not damaged.
 */
public final class KeyUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public KeyUnavailableException(String message) {
        super(message);
    }

    public KeyUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
