// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;

/** The merged trees of layers that a registry has, by their chain ids. Thread-safe. */
public interface ChainRoots {
    /**
     * Returns whether the registry has layers with this chain id, and can show them.
     *
     * @throws IOException when the registry does not answer
     */
    boolean has(Digest chain) throws IOException;

    /**
     * Begins to bring a chain that was pulled, of which a container may start soon. Returns at once.
     *
     * @param isLast true if it has all layers of an image; if not, a client may ask for a chain above it at once
     */
    void ahead(Digest chain, boolean isLast);

    /**
     * Mounts the tree of a chain, unless it is mounted; returns its directories.
     *
     * @throws SnapshotRefusal when the registry does not have the layers any more
     */
    ChainRoot root(Digest chain) throws IOException, InterruptedException;

    /**
     * Gives up the trees of all other chains.
     *
     * @param chains asked for once no tree can be made meanwhile
     */
    void keepOnly(Supplier<Set<Digest>> chains) throws IOException, InterruptedException;
}
