// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;

/** The failure at a path where no caller can create an entry: it is in a snapshot, or too long. */
public final class UncreatablePathException extends IOException {
    private static final long serialVersionUID = 1;

    public UncreatablePathException(String message) {
        super(message);
    }
}
