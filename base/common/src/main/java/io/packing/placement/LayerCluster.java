// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of a registry with local stores: P-servers, which have whole layers, and D-servers, which have files of
 * layers (§4.2). Both kinds of replicas of a layer together are as many as the registry wants. Confined to one thread.
 */
public final class LayerCluster {
    private record Layer(long bytes, List<StoredFile> files, int intact) {}

    private final int replicas;
    private final FileIndex index;
    private final Map<String, Layer> layers = new HashMap<>();
    /** The layers with each file. */
    private final Map<StoredFile, Set<String>> uses = new HashMap<>();

    private HashRing primaries;

    /**
     * Creates a cluster of nodes without layers.
     *
     * @param primaries P-servers
     * @param splitters D-servers
     * @param replicas of every layer
     * @throws IllegalArgumentException when the nodes are fewer than the replicas that the mode gives them
     */
    public LayerCluster(Collection<String> primaries, Collection<String> splitters, int replicas, ReplicaMode mode) {
        if (replicas < 1) {
            throw new IllegalArgumentException("a layer with %d replicas".formatted(replicas));
        }
        Set<String> both = new HashSet<>(primaries);
        both.retainAll(splitters);
        if (!both.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s are P- and D-servers at once: a layer and its files could be lost together".formatted(both));
        }
        int most = mode.most(replicas);
        int fewest = mode.least(replicas);
        if (primaries.size() < most || splitters.size() < replicas - fewest) {
            throw new IllegalArgumentException(
                    "%d whole and %d split replicas need as many nodes, and there are %d and %d"
                            .formatted(most, replicas - fewest, primaries.size(), splitters.size()));
        }
        this.primaries = new HashRing(primaries);
        this.index = new FileIndex(splitters);
        this.replicas = replicas;
    }

    /**
     * The copies of a change.
     *
     * @param layers the nodes that get the whole layer
     * @param files the copies for D-servers
     */
    public record Moved(List<String> layers, List<FileIndex.Copy> files) {
        public Moved {
            layers = List.copyOf(layers);
            files = List.copyOf(files);
        }
    }

    /**
     * Adds a pushed layer, or changes the number of its whole replicas.
     *
     * @param digest of the layer
     * @param files its contents, with repetitions or without
     * @param whole replicas of it, as a {@link ReplicaMode} says
     */
    public Moved put(String digest, long bytes, List<StoredFile> files, int whole) {
        Set<String> before = new HashSet<>(intact(digest));
        Set<StoredFile> different = new LinkedHashSet<>(files);
        layers.put(digest, new Layer(bytes, List.copyOf(different), whole));
        different.forEach(
                file -> uses.computeIfAbsent(file, unused -> new HashSet<>()).add(digest));
        List<String> more = new ArrayList<>(intact(digest));
        more.removeAll(before);
        List<FileIndex.Copy> copies = index.add(different, replicas - whole);
        different.forEach(file -> index.keep(file, wanted(file)));
        return new Moved(more, copies);
    }

    /** Returns the replicas of a file: as many as the layer with the fewest whole ones wants. */
    private int wanted(StoredFile file) {
        int most = 0;
        for (String digest : uses.getOrDefault(file, Set.of())) {
            Layer layer = layers.get(digest);
            most = layer == null ? most : Math.max(most, replicas - layer.intact());
        }
        return most;
    }

    /** Removes a layer that is garbage. */
    public void remove(String digest) {
        Layer layer = layers.remove(digest);
        if (layer == null) {
            return;
        }
        for (StoredFile file : layer.files()) {
            Set<String> others = uses.getOrDefault(file, new HashSet<>());
            others.remove(digest);
            if (others.isEmpty()) {
                uses.remove(file);
            }
            index.keep(file, wanted(file));
        }
    }

    /** Returns the P-servers with the whole layer, the first one to ask in front. */
    public List<String> intact(String digest) {
        Layer layer = layers.get(digest);
        return layer == null ? List.of() : primaries.owners(digest, layer.intact());
    }

    /**
     * Returns the plan that puts a layer together.
     *
     * @param silent nodes that do not answer now
     * @throws IllegalArgumentException when the layer does not exist
     */
    public RestorePlan plan(String digest, Set<String> silent) {
        Layer layer = layers.get(digest);
        if (layer == null) {
            throw new IllegalArgumentException("there is no layer " + digest);
        }
        return index.plan(layer.files(), silent);
    }

    /** Removes a P-server that is gone for good; returns its layers with the nodes that have to get them. */
    public Map<String, List<String>> losePrimary(String node) {
        Map<String, List<String>> before = new HashMap<>();
        layers.keySet().forEach(digest -> before.put(digest, intact(digest)));
        primaries = primaries.without(node);
        Map<String, List<String>> copies = new HashMap<>();
        before.forEach((digest, had) -> {
            List<String> now = new ArrayList<>(intact(digest));
            now.removeAll(had);
            if (!now.isEmpty()) {
                copies.put(digest, now);
            }
        });
        return copies;
    }

    /** Removes a D-server that is gone for good; returns the copies between the others. */
    public List<FileIndex.Copy> loseSplitter(String node) {
        return index.lose(node);
    }

    /** Returns the files of D-servers. */
    public FileIndex files() {
        return index;
    }

    /** Returns the bytes of all whole layers on all P-servers. */
    public long intactBytes() {
        long bytes = 0;
        for (Map.Entry<String, Layer> each : layers.entrySet()) {
            bytes += each.getValue().bytes() * intact(each.getKey()).size();
        }
        return bytes;
    }

    /** Returns the bytes of all nodes. */
    public long bytes() {
        return intactBytes() + index.bytes();
    }
}
