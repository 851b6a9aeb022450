// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The nodes that give files when a layer is put together.
 *
 * @param slices the files of each such node
 * @param missing files that no living node has: the layer cannot be put together
 */
public record RestorePlan(Map<String, List<StoredFile>> slices, List<StoredFile> missing) {
    public RestorePlan {
        slices = Map.copyOf(slices);
        missing = List.copyOf(missing);
    }

    /** Returns the bytes of a node's slice. */
    public long bytes(String node) {
        return bytes(slices.getOrDefault(node, List.of()));
    }

    private static long bytes(Collection<StoredFile> files) {
        return files.stream().mapToLong(StoredFile::bytes).sum();
    }

    /** Returns the bytes of the largest slice, for which the layer waits when all nodes are equally fast. */
    public long largestSlice() {
        return slices.values().stream().mapToLong(RestorePlan::bytes).max().orElse(0);
    }

    /**
     * Returns the node that gathers the slices, which is the one with the largest (§4.2.2); of several, the first by
     * name.
     *
     * @throws IllegalStateException when the layer has no files
     */
    public String master() {
        return slices.keySet().stream()
                .min(Comparator.<String>comparingLong(node -> -bytes(node)).thenComparing(Comparator.naturalOrder()))
                .orElseThrow(() -> new IllegalStateException("a layer without files needs no node to gather them"));
    }
}
