// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.placement.ReplicaMode;
import java.nio.file.Path;

/**
 * The configuration of a node.
 *
 * @param name its name in the list
 * @param nodes all of them
 * @param directory its store
 * @param capacity bytes of the store, at most
 * @param replicas of each layer, of both kinds together
 * @param mode the number of whole ones among them
 * @param key the secret that all nodes share; empty: only processes of this machine are taken for nodes
 */
public record NodeOptions(
        String name, NodeList nodes, Path directory, long capacity, int replicas, ReplicaMode mode, String key) {
    /** @throws IllegalArgumentException when the nodes are fewer than the replicas that the mode wants of them */
    public NodeOptions {
        if (nodes.nodes().stream().noneMatch(each -> each.name().equals(name))) {
            throw new IllegalArgumentException("node '%s' is not in the list of nodes".formatted(name));
        }
        if (replicas < 1) {
            throw new IllegalArgumentException("a layer with %d replicas".formatted(replicas));
        }
        int most = mode.most(replicas);
        int fewest = mode.least(replicas);
        int primaries = nodes.names(NodeRole.PRIMARY).size();
        int dedups = nodes.names(NodeRole.DEDUP).size();
        if (primaries < most || dedups < replicas - fewest) {
            throw new IllegalArgumentException(
                    "%d whole and %d split replicas need as many nodes, and the list has %d primary and %d dedup ones"
                            .formatted(most, replicas - fewest, primaries, dedups));
        }
    }

    /** Returns the role of this node. */
    public NodeRole role() {
        return nodes.nodes().stream()
                .filter(each -> each.name().equals(name))
                .map(NodeList.Member::role)
                .findFirst()
                .orElseThrow();
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "node %s of %s".formatted(name, nodes);
    }
}
