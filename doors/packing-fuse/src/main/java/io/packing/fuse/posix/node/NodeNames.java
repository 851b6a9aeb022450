// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.blob.FilePath;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names that lead to nodes. One of several names is the node's own, by which calls ask the table. Guarded by {@link
 * Nodes}.
 */
public final class NodeNames {
    public record NodeKey(long parent, String name) {
        /** Returns a node's own name. */
        public static NodeKey of(Node node) {
            return new NodeKey(node.parent, node.name);
        }
    }

    private final Map<NodeKey, Node> nodes = new HashMap<>();
    /** The further names of files with several, without the own one. */
    private final Map<Long, Set<NodeKey>> others = new HashMap<>();

    Optional<Node> get(NodeKey key) {
        return Optional.ofNullable(nodes.get(key));
    }

    boolean isNamed(Node node) {
        return nodes.get(NodeKey.of(node)) == node;
    }

    /**
     * Returns the path of a node below a root; ESTALE when no name leads to it.
     *
     * @param byNumber the nodes by their numbers
     */
    FilePath path(FilePath root, Node node, Map<Long, Node> byNumber) throws FuseException {
        Deque<String> way = new ArrayDeque<>();
        for (Node at = node; at.number != FuseFileSystem.ROOT; ) {
            Node parent = byNumber.get(at.parent);
            if (!isNamed(at) || parent == null) {
                throw new FuseException(Errno.ESTALE, "node %d has no name".formatted(at.number));
            }
            way.push(at.name);
            at = parent;
        }
        StringBuilder path = new StringBuilder(root.isRoot() ? "" : root.value());
        way.forEach(name -> path.append('/').append(name));
        return path.isEmpty() ? FilePath.ROOT : new FilePath(path.toString());
    }

    /** Returns the paths of a node by its further names. */
    List<FilePath> otherPaths(FilePath root, Node node, Map<Long, Node> byNumber) throws FuseException {
        List<FilePath> all = new ArrayList<>();
        for (NodeKey key : others(node)) {
            Node parent = byNumber.get(key.parent());
            if (parent == null) {
                throw new FuseException(Errno.ESTALE, "no node %d".formatted(key.parent()));
            }
            all.add(path(root, parent, byNumber).child(key.name()));
        }
        return all;
    }

    void put(NodeKey key, Node node) {
        nodes.put(key, node);
    }

    /** Removes a name; returns true if it led to the node. */
    boolean remove(NodeKey key, Node node) {
        return nodes.remove(key, node);
    }

    Set<NodeKey> others(Node node) {
        return others.getOrDefault(node.number, Set.of());
    }

    boolean hasOthers(Node node) {
        return others.containsKey(node.number);
    }

    /** Returns all names of a node. */
    Set<NodeKey> all(Node node) {
        Set<NodeKey> all = new LinkedHashSet<>(others(node));
        all.add(NodeKey.of(node));
        return all;
    }

    /** Adds a name to a node; the caller puts it in its place. */
    void add(Node node, NodeKey key) {
        if (isNamed(node)) {
            others.computeIfAbsent(node.number, unused -> new LinkedHashSet<>()).add(key);
        } else {
            own(node, key);
        }
    }

    /** Removes one of a node's several names. */
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

    /** Forgets the further names of a node. */
    void forgetOthers(Node node) {
        others.remove(node.number);
    }

    private static void own(Node node, NodeKey key) {
        node.parent = key.parent();
        node.name = key.name();
    }
}
