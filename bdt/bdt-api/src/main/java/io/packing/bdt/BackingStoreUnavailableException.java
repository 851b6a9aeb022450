// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/** A failure of the store behind a master that answers. Retry later: the master has lost no data. */
public final class BackingStoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public BackingStoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
