package io.packing.posix;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which names lead to which nodes. Of several names one is the node's own, by which the table is asked. Guarded by {@link Nodes}. */
final class NodeNames {
    record NodeKey(long parent, String name) {
        /** A node's own. */
        static NodeKey of(Node node) {
            return new NodeKey(node.parent, node.name);
        }
    }

    private final Map<NodeKey, Node> nodes = new HashMap<>();
    /** Of a file that has several names, those that are not the node's own. */
    private final Map<Long, Set<NodeKey>> others = new HashMap<>();

    Optional<Node> get(NodeKey key) {
        return Optional.ofNullable(nodes.get(key));
    }

    boolean isNamed(Node node) {
        return nodes.get(NodeKey.of(node)) == node;
    }

    void put(NodeKey key, Node node) {
        nodes.put(key, node);
    }

    /** Returns whether the name led to the node. */
    boolean remove(NodeKey key, Node node) {
        return nodes.remove(key, node);
    }

    Set<NodeKey> others(Node node) {
        return others.getOrDefault(node.number, Set.of());
    }

    boolean hasOthers(Node node) {
        return others.containsKey(node.number);
    }

    /** All names of a node. */
    Set<NodeKey> all(Node node) {
        Set<NodeKey> all = new LinkedHashSet<>(others(node));
        all.add(NodeKey.of(node));
        return all;
    }

    /** A node has one more name, which is not put in its place yet. */
    void add(Node node, NodeKey key) {
        if (isNamed(node)) {
            others.computeIfAbsent(node.number, unused -> new LinkedHashSet<>()).add(key);
        } else {
            own(node, key);
        }
    }

    /** A node has one of its several names less. */
    void leave(Node node, NodeKey key) {
        Set<NodeKey> names = others.getOrDefault(node.number, Set.of());
        if (key.equals(NodeKey.of(node))) {
            own(node, names.iterator().next());
            names.remove(NodeKey.of(node));
        } else {
            names.remove(key);
        }
        if (names.isEmpty()) {
            others.remove(node.number);
        }
    }

    void change(Node node, NodeKey from, NodeKey to) {
        Set<NodeKey> names = others.get(node.number);
        if (names != null && names.remove(from)) {
            names.add(to);
        } else {
            own(node, to);
        }
    }

    /** A node has no other names any more. */
    void forgetOthers(Node node) {
        others.remove(node.number);
    }

    private static void own(Node node, NodeKey key) {
        node.parent = key.parent();
        node.name = key.name();
    }
}
