// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/** A failure because the store has another version of an object than the one that is wanted, or no such object any more. A retry does not mend it. */
public final class ObjectChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public ObjectChangedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns the failure of a read of an object whose version is another one. */
    static ObjectChangedException changed(ObjectVersion object, Throwable cause) {
        return new ObjectChangedException(
                "%s has changed: its version %s of %,d bytes is not in the store any more. Restore that version, or delete the file and adopt the object again"
                        .formatted(object, object.version(), object.length()),
                cause);
    }

    /** Returns the failure of a read of an object that is gone. */
    static ObjectChangedException gone(ObjectVersion object, Throwable cause) {
        return new ObjectChangedException(
                "%s is gone: the store has no such object any more. Restore its version %s of %,d bytes, or delete the file"
                        .formatted(object, object.version(), object.length()),
                cause);
    }
}
