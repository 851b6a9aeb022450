// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;

/**
 * The failure of bytes that break the blob format. From {@link SoundRead} it means that every read gave wrong bytes, so
 * restore the blob from a copy.
 */
public final class CorruptBlobException extends IOException {
    private static final long serialVersionUID = 1L;

    public CorruptBlobException(String message) {
        super(message);
    }

    public CorruptBlobException(String message, Throwable cause) {
        super(message, cause);
    }
}
