// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import java.io.IOException;

/**
 * A worker's lack of room for a file: its buffer or its disk was full for as long as the client waited. The worker
 * keeps no part of the file. The same write succeeds when room is free again; the message says how to free some.
 */
public final class BufferFullException extends IOException {
    private static final long serialVersionUID = 1L;

    public BufferFullException(String message) {
        super(message);
    }
}
