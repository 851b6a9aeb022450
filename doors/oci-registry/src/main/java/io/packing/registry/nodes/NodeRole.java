// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import java.util.Locale;

/** The kind of replicas that a node keeps. */
public enum NodeRole {
    /** Whole layers: a P-server. */
    PRIMARY,
    /** Files of layers: a D-server. */
    DEDUP;

    /** As in the list of nodes. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the role of a name.
     *
     * @throws IllegalArgumentException when no role has the name
     */
    public static NodeRole named(String text) {
        for (NodeRole each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException("'%.80s' is neither primary nor dedup".formatted(text));
    }
}
