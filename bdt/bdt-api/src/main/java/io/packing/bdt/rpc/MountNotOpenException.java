// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import java.io.IOException;

/** A refusal by a restarted master that waits for a client to open the mount; clients do so by themselves. */
public final class MountNotOpenException extends IOException {
    private static final long serialVersionUID = 1L;

    public MountNotOpenException(String message) {
        super(message);
    }
}
