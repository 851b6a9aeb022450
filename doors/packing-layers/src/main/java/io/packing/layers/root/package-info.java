// SPDX-License-Identifier: Apache-2.0
/**
 * Writable roots of containers: images merged into one tree, clones of them, and the changes of a container as a layer.
 */
@NullMarked
package io.packing.layers.root;

import org.jspecify.annotations.NullMarked;
