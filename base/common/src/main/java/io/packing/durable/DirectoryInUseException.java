// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;

/** A refusal because another process has a directory: stop it, or configure another directory. */
public final class DirectoryInUseException extends IOException {
    private static final long serialVersionUID = 1L;

    DirectoryInUseException(String message) {
        super(message);
    }
}
