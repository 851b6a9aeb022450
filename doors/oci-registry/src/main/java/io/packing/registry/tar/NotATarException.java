// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import java.io.IOException;

/** A stream is no tar archive that can be cut into headers and contents, or an entry of it has a field that says nothing. */
public final class NotATarException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotATarException(String message) {
        super(message);
    }
}
