// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;

/**
 * A failure because the engine cannot open the store in its directory. Restore the directory, or remove it and rebuild.
 */
public final class DamagedStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
