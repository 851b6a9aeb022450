// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.nio.file.AccessDeniedException;

/** A refusal because the caller lacks a right on a file or directory, or a role. Another try does not help. */
public final class DeniedException extends AccessDeniedException {
    private static final long serialVersionUID = 1L;

    /** @param message names the caller, the right and the entry */
    public DeniedException(String message) {
        super(message);
    }
}
