// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;

/**
 * The failure of bytes that changed since they were written, or that are no trace of a version that this reader knows.
 * To try again is useless.
 */
public final class CorruptTraceException extends IOException {
    private static final long serialVersionUID = 1;

    public CorruptTraceException(String message) {
        super(message);
    }

    public CorruptTraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
