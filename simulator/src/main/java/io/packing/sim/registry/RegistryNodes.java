// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import io.packing.placement.ReplicaMode;

/**
 * A simulated registry of nodes with local stores (§4.2).
 *
 * @param nodes P- and D-servers together
 * @param replicas of every layer, whole or as files
 * @param cacheShare memory of all P-servers for layers, as a share of all layers' bytes; 0: no cache
 * @param preconstructShare disks of all D-servers for restored layers, as such a share; 0: no cache
 * @param seekMicros of a disk, for each file
 * @param diskRate bytes a second
 * @param networkRate bytes a second
 * @param cores of a D-server, each of which makes one slice at a time
 * @param restoreRate bytes a second that a core makes of a slice
 */
public record RegistryNodes(
        int nodes,
        int replicas,
        ReplicaMode mode,
        double cacheShare,
        double preconstructShare,
        long seekMicros,
        double diskRate,
        double networkRate,
        int cores,
        double restoreRate) {
    public RegistryNodes {
        if (replicas < 1 || nodes < 2 * replicas) {
            throw new IllegalArgumentException(
                    "registry-nodes: %d replicas, whole and as files, need twice as many nodes, not %d"
                            .formatted(replicas, nodes));
        }
        if (!(cacheShare >= 0 && cacheShare <= 10) || !(preconstructShare >= 0 && preconstructShare <= 10)) {
            throw new IllegalArgumentException("registry-nodes: shares of caches are from 0 to 10");
        }
        if (cores < 1 || seekMicros < 0 || !(diskRate > 0) || !(networkRate > 0) || !(restoreRate > 0)) {
            throw new IllegalArgumentException("registry-nodes: bad times or rates");
        }
    }
}
