// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The merged tree of a chain on this machine.
 *
 * @param tree the directory in the mount of all trees, which has names and bytes
 * @param metadata the mounted metadata image, which has the names alone; then the tree is the layer of the bytes. Empty: the tree has
 *     both
 */
public record ChainRoot(Path tree, Optional<Path> metadata) {}
