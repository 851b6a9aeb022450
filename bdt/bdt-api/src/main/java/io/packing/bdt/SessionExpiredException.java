// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/**
 * A refusal by a master that was recovered from the backing store and does not know this session. Register again and
 * reclaim all buffered files; none was lost.
 */
public final class SessionExpiredException extends IOException {
    private static final long serialVersionUID = 1L;

    public SessionExpiredException(String message) {
        super(message);
    }

    public SessionExpiredException(String message, Throwable cause) {
        super(message, cause);
    }
}
