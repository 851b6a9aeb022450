// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The map from files to the nodes that have them. No node has two replicas of one file. Confined to one thread.
 *
 * <p>A file's nodes are in the order of its replicas: the first is in primary slices, the second in the first backup
 * slices, and so forth.
 */
public final class FileIndex {
    private final Map<StoredFile, List<String>> nodesOf = new HashMap<>();
    private final Map<String, Long> bytesOn = new TreeMap<>();

    /** @param nodes that are alive */
    public FileIndex(Collection<String> nodes) {
        nodes.forEach(node -> bytesOn.put(node, 0L));
    }

    /**
     * A copy of a file that a node has to get.
     *
     * @param from nodes that have it; empty: the pushing client
     */
    public record Copy(StoredFile file, List<String> from, String to) {
        public Copy {
            from = List.copyOf(from);
        }
    }

    /** Returns the live nodes, by name. */
    public List<String> nodes() {
        return List.copyOf(bytesOn.keySet());
    }

    /** Returns the nodes with a file, the primary first; none when it is not stored. */
    public List<String> nodesOf(StoredFile file) {
        return List.copyOf(nodesOf.getOrDefault(file, List.of()));
    }

    /**
     * Adds a file that nodes have already.
     *
     * @param nodes that have it, the primary first; dead ones do not count
     * @throws IllegalArgumentException when the file is known
     */
    public void has(StoredFile file, List<String> nodes) {
        List<String> living = new ArrayList<>(
                nodes.stream().filter(bytesOn::containsKey).distinct().toList());
        if (living.isEmpty()) {
            return;
        }
        if (nodesOf.putIfAbsent(file, living) != null) {
            throw new IllegalArgumentException("file %s is known".formatted(file.id()));
        }
        living.forEach(node -> count(node, file.bytes()));
    }

    /** Returns the bytes of all files of a node. */
    public long bytesOn(String node) {
        return bytesOn.getOrDefault(node, 0L);
    }

    /** Returns the bytes of all replicas of all files. */
    public long bytes() {
        return bytesOn.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Stores the new files of a layer, and gives more replicas to those with too few.
     *
     * @return the copies to make
     * @throws IllegalArgumentException when the nodes are fewer than the replicas
     */
    public List<Copy> add(Collection<StoredFile> layer, int replicas) {
        Map<StoredFile, List<String>> shared = new LinkedHashMap<>();
        Set<StoredFile> fresh = new LinkedHashSet<>();
        for (StoredFile file : layer) {
            if (nodesOf.containsKey(file)) {
                shared.put(file, nodesOf(file));
            } else {
                fresh.add(file);
            }
        }
        List<Copy> copies = new ArrayList<>();
        if (replicas > 0) {
            GreedySlices.assign(shared, fresh, bytesOn.keySet(), replicas).forEach((file, nodes) -> {
                nodes.forEach(node -> copies.add(new Copy(file, List.of(), node)));
                nodesOf.put(file, new ArrayList<>(nodes));
            });
        }
        copies.forEach(copy -> count(copy.to(), copy.file().bytes()));
        for (StoredFile file : shared.keySet()) {
            copies.addAll(replicate(file, replicas));
        }
        return copies;
    }

    private void count(String node, long bytes) {
        bytesOn.merge(node, bytes, Long::sum);
    }

    /** Gives a file replicas until it has so many, or every node has one. */
    private List<Copy> replicate(StoredFile file, int replicas) {
        List<String> has = nodesOf.getOrDefault(file, List.of());
        List<Copy> copies = new ArrayList<>();
        while (!has.isEmpty() && has.size() < Math.min(replicas, bytesOn.size())) {
            String to = GreedySlices.smallest(bytesOn, new HashSet<>(has));
            copies.add(new Copy(file, has, to));
            has.add(to);
            count(to, file.bytes());
        }
        return copies;
    }

    /** Takes replicas of a file away, the last ones first, until it has so many; forgets it without any. */
    void keep(StoredFile file, int replicas) {
        List<String> has = nodesOf.getOrDefault(file, new ArrayList<>());
        while (has.size() > replicas) {
            count(has.remove(has.size() - 1), -file.bytes());
        }
        if (has.isEmpty()) {
            nodesOf.remove(file);
        }
    }

    /** Adds a node without files. */
    public void join(String node) {
        bytesOn.putIfAbsent(node, 0L);
    }

    /**
     * Removes a node that is gone for good, with all its files. Copies of the largest files come first, as in a layer.
     *
     * @return the copies by which every file has as many replicas as before, or one on each node if these are fewer. A
     *     file that loses its last replica is forgotten
     */
    public List<Copy> lose(String node) {
        if (bytesOn.remove(node) == null) {
            return List.of();
        }
        List<StoredFile> poorer = nodesOf.entrySet().stream()
                .filter(each -> each.getValue().contains(node))
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparingLong(StoredFile::bytes).reversed().thenComparing(StoredFile::id))
                .toList();
        List<Copy> copies = new ArrayList<>();
        for (StoredFile file : poorer) {
            List<String> has = new ArrayList<>(nodesOf.getOrDefault(file, List.of()));
            int replicas = has.size();
            // The replicas behind it move up: a backup is the primary then.
            has.remove(node);
            if (has.isEmpty()) {
                nodesOf.remove(file);
            } else {
                nodesOf.put(file, has);
                copies.addAll(replicate(file, replicas));
            }
        }
        return copies;
    }

    /**
     * Assigns the files of a layer to the nodes that give them: for each file the first replica whose node answers.
     *
     * @param silent nodes that do not answer now, and may come back
     */
    public RestorePlan plan(Collection<StoredFile> layer, Set<String> silent) {
        Map<String, List<StoredFile>> slices = new TreeMap<>();
        List<StoredFile> missing = new ArrayList<>();
        for (StoredFile file : new LinkedHashSet<>(layer)) {
            nodesOf(file).stream()
                    .filter(node -> !silent.contains(node))
                    .findFirst()
                    .ifPresentOrElse(
                            node -> slices.computeIfAbsent(node, unused -> new ArrayList<>())
                                    .add(file),
                            () -> missing.add(file));
        }
        return new RestorePlan(slices, missing);
    }
}
