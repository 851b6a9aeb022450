// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A choice of nodes for the new files of a layer so that its slices get even sizes: the largest file goes to the smallest
 * slice (§4.2.1, layer partitioning). Stored files stay on their nodes, and count there.
 */
final class GreedySlices {
    private GreedySlices() {}

    /**
     * Returns the nodes of the new files, the primary first.
     *
     * @param shared stored files of the layer with their nodes, the primary first
     * @param fresh files of the layer that are not stored
     * @param nodes at least as many as replicas
     */
    static Map<StoredFile, List<String>> assign(
            Map<StoredFile, List<String>> shared,
            Collection<StoredFile> fresh,
            Collection<String> nodes,
            int replicas) {
        if (replicas > nodes.size()) {
            throw new IllegalArgumentException(
                    "%d replicas of a file need as many nodes, and there are %d".formatted(replicas, nodes.size()));
        }
        List<StoredFile> largestFirst = new ArrayList<>(fresh);
        largestFirst.sort(Comparator.comparingLong(StoredFile::bytes).reversed().thenComparing(StoredFile::id));
        Map<StoredFile, List<String>> assigned = new LinkedHashMap<>();
        largestFirst.forEach(file -> assigned.put(file, new ArrayList<>()));
        for (int level = 0; level < replicas; level++) {
            Map<String, Long> slices = new TreeMap<>();
            nodes.forEach(node -> slices.put(node, 0L));
            for (Map.Entry<StoredFile, List<String>> each : shared.entrySet()) {
                if (level < each.getValue().size()) {
                    slices.computeIfPresent(
                            each.getValue().get(level),
                            (node, bytes) -> bytes + each.getKey().bytes());
                }
            }
            assigned.forEach((file, on) -> {
                String smallest = smallest(slices, new HashSet<>(on));
                slices.merge(smallest, file.bytes(), Long::sum);
                on.add(smallest);
            });
        }
        return assigned;
    }

    /** Returns the node with the fewest bytes, without the excluded ones; of several, the first by name. */
    static String smallest(Map<String, Long> bytes, Set<String> not) {
        return bytes.entrySet().stream()
                .filter(each -> !not.contains(each.getKey()))
                .min(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .orElseThrow(() -> new IllegalArgumentException("every node has the file already"))
                .getKey();
    }
}
