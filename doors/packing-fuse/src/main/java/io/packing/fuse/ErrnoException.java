// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;

/** A failure below a file system that the caller receives as a number of its own, and not as EIO. */
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    /** @param message for logs; the caller of the file system only gets the number */
    public ErrnoException(Errno errno, String message, Throwable cause) {
        super(message, cause);
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }
}
