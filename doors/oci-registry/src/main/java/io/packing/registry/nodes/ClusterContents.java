// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.bdt.UnavailableException;
import io.packing.placement.FileIndex;
import io.packing.placement.StoredFile;
import io.packing.registry.dedup.ContentSource;
import io.packing.registry.oci.Digest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files of layers that D-servers have. Each server gives its primary slice of a layer, as long as it answers; else the servers of its
 * backup slices give those files (§4.2.2). Thread-safe.
 */
final class ClusterContents implements ContentSource {
    /** The most files whose nodes are remembered; each takes some 300 bytes. */
    private static final int MOST_KNOWN = 100_000;

    private final Cluster cluster;
    /** The nodes that have a file, the primary replica first. */
    private final Map<String, List<String>> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
            return size() > MOST_KNOWN;
        }
    };

    ClusterContents(Cluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Returns the nodes that have each of some files now, the primary replica first, by the answers of the nodes.
     *
     * @return an index of those nodes
     */
    FileIndex index(Collection<StoredFile> files) {
        List<String> hexes = files.stream().map(StoredFile::id).distinct().toList();
        Map<String, TreeMap<Integer, String>> levels = new HashMap<>();
        Set<String> answering = new HashSet<>();
        for (String name : cluster.living(NodeRole.DEDUP)) {
            try {
                Map<String, Integer> there = cluster.ask(name, node -> node.levels(hexes));
                answering.add(name);
                there.forEach((hex, level) -> {
                    TreeMap<Integer, String> places = levels.computeIfAbsent(hex, unused -> new TreeMap<>());
                    // Two nodes may both keep one number of a file's replicas after a loss.
                    int place = level * 1_000;
                    while (places.containsKey(place)) {
                        place++;
                    }
                    places.put(place, name);
                });
            } catch (IOException e) {
                // It is silent from now on; the others have its files.
            }
        }
        FileIndex index = new FileIndex(answering);
        synchronized (known) {
            for (StoredFile file : files) {
                List<String> nodes = List.copyOf(
                        levels.getOrDefault(file.id(), new TreeMap<>()).values());
                if (index.nodesOf(file).isEmpty() && !nodes.isEmpty()) {
                    index.has(file, nodes);
                }
                known.put(file.id(), nodes);
            }
        }
        return index;
    }

    private List<String> nodesOf(Wanted wanted) {
        synchronized (known) {
            List<String> nodes = known.get(wanted.hex());
            if (nodes != null) {
                return nodes;
            }
        }
        return index(List.of(new StoredFile(wanted.hex(), wanted.length())))
                .nodesOf(new StoredFile(wanted.hex(), wanted.length()));
    }

    @Override
    public void read(List<Wanted> wanted, byte[] into) throws IOException {
        List<Wanted> left = readKnown(wanted, into);
        if (!left.isEmpty()) {
            // Files were moved, or nodes came back: all nodes are asked again for their files.
            FileIndex unused = index(left.stream()
                    .map(each -> new StoredFile(each.hex(), each.length()))
                    .toList());
            left = readKnown(left, into);
        }
        if (!left.isEmpty()) {
            String problem = "no node that answers has file %s, and %d others"
                    .formatted(left.get(0).hex(), left.size() - 1);
            if (cluster.all(NodeRole.DEDUP).stream().allMatch(cluster::lives)) {
                throw new FileNotFoundException(problem);
            }
            throw new UnavailableException(problem + ", but not all nodes answer; start them again");
        }
    }

    /** Reads from the remembered nodes; returns the bytes that none of them gave. */
    private List<Wanted> readKnown(List<Wanted> wanted, byte[] into) throws IOException {
        List<Wanted> left = wanted;
        Map<Wanted, Set<String>> asked = new HashMap<>();
        while (!left.isEmpty()) {
            Map<String, List<Wanted>> slices = new TreeMap<>();
            List<Wanted> nowhere = new ArrayList<>();
            for (Wanted each : left) {
                Optional<String> next = nodesOf(each).stream()
                        .filter(cluster::lives)
                        .filter(name -> !asked.getOrDefault(each, Set.of()).contains(name))
                        .findFirst();
                next.ifPresentOrElse(
                        name -> slices.computeIfAbsent(name, unused -> new ArrayList<>())
                                .add(each),
                        () -> nowhere.add(each));
            }
            if (slices.isEmpty()) {
                return nowhere;
            }
            List<Wanted> absent = new ArrayList<>(nowhere);
            for (Map.Entry<String, List<Wanted>> slice : slices.entrySet()) {
                absent.addAll(read(slice.getKey(), slice.getValue(), into));
                slice.getValue()
                        .forEach(each -> asked.computeIfAbsent(each, unused -> new HashSet<>())
                                .add(slice.getKey()));
            }
            left = absent;
        }
        return left;
    }

    /** Reads a slice from a node; returns the files that it did not give, or gave with other bytes. */
    private Collection<Wanted> read(String name, List<Wanted> slice, byte[] into) {
        try {
            Set<Wanted> absent = new HashSet<>(cluster.ask(name, node -> node.slice(slice, into)));
            for (Wanted each : slice) {
                if (!absent.contains(each) && !isRight(each, into)) {
                    absent.add(each);
                    cluster.order(name, node -> node.checkFile(each.hex()));
                }
            }
            return absent;
        } catch (IOException e) {
            return slice;
        }
    }

    /** Returns whether a whole file has its hash; a part cannot be checked. */
    private static boolean isRight(Wanted wanted, byte[] bytes) {
        if (wanted.count() < wanted.length()) {
            return true;
        }
        MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        hasher.update(bytes, wanted.at(), wanted.count());
        return Digest.Algorithm.SHA256.of(hasher).hex().equals(wanted.hex());
    }

    @Override
    public boolean isTold() {
        return true;
    }

    @Override
    public void expect(Map<String, Long> contents) {
        FileIndex unused = index(ClusterLayers.stored(contents));
    }
}
