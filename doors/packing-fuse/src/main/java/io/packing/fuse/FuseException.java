// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/**
 * A failure of a call that its caller receives as an error number. It has no stack trace: many of them are ordinary.
 */
public final class FuseException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    public FuseException(Errno errno) {
        this(errno, errno.name());
    }

    /** @param message for logs; the caller of the file system only gets the number */
    public FuseException(Errno errno, String message) {
        super(message, null, false, false);
        this.errno = errno;
    }

    public Errno errno() {
        return errno;
    }
}
