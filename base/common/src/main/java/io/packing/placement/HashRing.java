// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A ring of nodes: a key belongs to the nodes that follow its hash. A node that comes or goes moves only the keys that
 * are or were its own. Equal nodes give equal rings in every process. Immutable.
 */
public final class HashRing {
    /** The places of a node: with 200 the largest share of eight nodes is about a fifth above the mean. */
    private static final int PLACES = 200;

    private final Set<String> nodes;
    private final TreeMap<Long, String> places = new TreeMap<>();

    public HashRing(Collection<String> nodes) {
        this.nodes = new TreeSet<>(nodes);
        for (String node : this.nodes) {
            for (int i = 0; i < PLACES; i++) {
                // Two nodes at one place are next to impossible; the first by name gets it, in any order of arrival.
                places.putIfAbsent(hash(node + '#' + i), node);
            }
        }
    }

    private static long hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    /** Returns all nodes, by name. */
    public Set<String> nodes() {
        return new TreeSet<>(nodes);
    }

    /** Returns the ring without a node. */
    public HashRing without(String node) {
        Set<String> others = nodes();
        others.remove(node);
        return new HashRing(others);
    }

    /** Returns the ring with a node. */
    public HashRing with(String node) {
        Set<String> more = nodes();
        more.add(node);
        return new HashRing(more);
    }

    /**
     * Returns the nodes that a key belongs to, all different, the first one first.
     *
     * @param count the most nodes
     */
    public List<String> owners(String key, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("%d owners of a key".formatted(count));
        }
        Set<String> owners = new LinkedHashSet<>();
        long at = hash(key);
        for (Map<Long, String> arc : List.of(places.tailMap(at, true), places.headMap(at, false))) {
            for (String node : arc.values()) {
                if (owners.size() >= Math.min(count, nodes.size())) {
                    return new ArrayList<>(owners);
                }
                owners.add(node);
            }
        }
        return new ArrayList<>(owners).subList(0, Math.min(count, owners.size()));
    }
}
