// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import java.io.IOException;

/** A dump is torn, or says what cannot be: reading it again is no use. */
public final class CorruptDumpException extends IOException {
    private static final long serialVersionUID = 1L;

    CorruptDumpException(String message) {
        super(message);
    }

    CorruptDumpException(String message, Throwable cause) {
        super(message, cause);
    }
}
