// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/**
 * The store cannot be trusted with streams: it did not check their bytes, or does not know the protocol. No object is
 * left. Objects whose bytes are known before the put are not concerned.
 */
public final class UntrustedStreamException extends IOException {
    private static final long serialVersionUID = 1L;

    public UntrustedStreamException(String message, Throwable cause) {
        super(message, cause);
    }

    public UntrustedStreamException(String message) {
        super(message);
    }
}
