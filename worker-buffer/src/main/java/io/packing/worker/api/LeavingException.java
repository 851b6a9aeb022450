// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import java.io.IOException;

/**
 * A refusal of a new file by a worker that leaves the mount; the worker has not stored the file. Another worker takes
 * it.
 */
public final class LeavingException extends IOException {
    private static final long serialVersionUID = 1;

    public LeavingException(String message) {
        super(message);
    }
}
