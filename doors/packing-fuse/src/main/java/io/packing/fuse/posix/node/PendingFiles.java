// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The files that only this server has, by directory. Each has one name. Guarded by {@link Nodes}. */
public final class PendingFiles {
    private final Map<Long, Map<String, Node>> byDirectory = new HashMap<>();

    /** Read without the guard. */
    private final AtomicInteger count = new AtomicInteger();

    void add(Node node) {
        Node before = byDirectory
                .computeIfAbsent(node.parent, unused -> new HashMap<>())
                .put(node.name, node);
        if (before == null) {
            count.incrementAndGet();
        }
    }

    void remove(Node node) {
        Map<String, Node> siblings = byDirectory.get(node.parent);
        if (siblings != null && siblings.remove(node.name, node)) {
            count.decrementAndGet();
            if (siblings.isEmpty()) {
                byDirectory.remove(node.parent);
            }
        }
    }

    /** Returns their number. Needs no guard. */
    public int count() {
        return count.get();
    }

    List<Node> in(Node directory) {
        return List.copyOf(byDirectory.getOrDefault(directory.number, Map.of()).values());
    }
}
