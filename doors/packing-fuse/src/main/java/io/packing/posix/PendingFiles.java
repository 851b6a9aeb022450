package io.packing.posix;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Files that are only here, by directory. Each has one name. Guarded by {@link Nodes}. */
final class PendingFiles {
    private final Map<Long, Map<String, Node>> byDirectory = new HashMap<>();

    void add(Node node) {
        byDirectory.computeIfAbsent(node.parent, unused -> new HashMap<>()).put(node.name, node);
    }

    void remove(Node node) {
        Map<String, Node> siblings = byDirectory.get(node.parent);
        if (siblings != null && siblings.remove(node.name, node) && siblings.isEmpty()) {
            byDirectory.remove(node.parent);
        }
    }

    List<Node> in(Node directory) {
        return List.copyOf(byDirectory.getOrDefault(directory.number, Map.of()).values());
    }
}
