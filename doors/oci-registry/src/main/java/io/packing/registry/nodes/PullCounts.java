// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.oci.Digest;
import java.util.HashMap;
import java.util.Map;

/** The pulls of clients through a process, by layer, for recently pulled layers. Thread-safe. */
public final class PullCounts {
    private static final int MOST = 100_000;

    private final Map<String, Long> counts = new HashMap<>();

    /** Counts a client's pull of a layer. */
    public synchronized void pulled(Digest layer) {
        if (counts.size() == MOST) {
            // Layers that are not pulled any more must not count for ever.
            counts.replaceAll((each, count) -> count / 2);
            counts.values().removeIf(count -> count == 0);
        }
        counts.merge(layer.toString(), 1L, Long::sum);
    }

    /** Returns the counts, by digest. */
    public synchronized Map<String, Long> counts() {
        return Map.copyOf(counts);
    }
}
