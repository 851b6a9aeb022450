// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/** A failure to reach the master or a worker. Retry: no data was lost. */
public class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
        super(message);
    }

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
