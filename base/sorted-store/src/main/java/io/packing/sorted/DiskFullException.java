// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.util.Locale;

/**
 * A refusal because the disk has too little free space to write safely. Free space, or wait until blobs are pushed; the
 * store has written no byte.
 */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public DiskFullException(String message) {
        super(message);
    }

    public DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns whether a full disk or quota caused a failure in any layer; only the operating system's words show it.
     */
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String text = String.valueOf(t.getMessage()).toLowerCase(Locale.ROOT);
            if (t instanceof DiskFullException
                    || text.contains("no space left on device")
                    || text.contains("quota exceeded")) {
                return true;
            }
        }
        return false;
    }
}
