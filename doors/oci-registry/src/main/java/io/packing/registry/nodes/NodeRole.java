package io.packing.registry.nodes;

import java.util.Locale;

/** What a node keeps. */
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
     * The role of a name.
     *
     * @throws IllegalArgumentException when there is no such role
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
