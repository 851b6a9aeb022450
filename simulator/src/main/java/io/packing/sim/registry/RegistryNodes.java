package io.packing.sim.registry;

import io.packing.placement.ReplicaMode;

/**
 * A registry of nodes with local stores (§4.2), as it is simulated.
 *
 * @param nodes P- and D-servers together
 * @param replicas of every layer, whole or as files
 * @param cacheShare bytes of the memory of all P-servers for layers, as a share of all layers; 0: there is no cache
 * @param preconstructShare bytes of the disks of all D-servers for layers that were put together, as such a share; 0: there is no cache
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
                    "registry-nodes: %d replicas whole and as files need twice as many nodes, and there are %d"
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
