// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.layers.OpenRegistry;
import io.packing.layers.root.Containers;
import io.packing.layers.root.RootsMount;
import java.io.Closeable;

/**
 * A registry with the mount of its roots on this machine.
 *
 * @param roots that need not be mounted yet
 * @param closing ends the connections; the mount stays
 */
public record OpenedRoots(OpenRegistry registry, Containers containers, RootsMount roots, Closeable closing) {}
