// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** A failure to reach the store, or its throttling, after all retries. Retry later: no data was lost. */
public final class StoreUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
