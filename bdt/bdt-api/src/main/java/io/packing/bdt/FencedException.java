// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.io.IOException;

/** A refusal because a newer session of this worker, or a newer master, took over. Stop writing; do not retry. */
public final class FencedException extends IOException {
    private static final long serialVersionUID = 1L;

    public FencedException(String message) {
        super(message);
    }

    public FencedException(String message, Throwable cause) {
        super(message, cause);
    }
}
