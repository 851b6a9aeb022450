// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import java.io.IOException;

/** A node has no room, or its disk fails: another one may do it. */
public final class NodeRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    NodeRefusedException(String message) {
        super(message);
    }
}
