// SPDX-License-Identifier: Apache-2.0
/**
 * The choice of nodes of a registry for whole layers and for the files of split ones (DupHunter, §4.2). It has a ring of
 * nodes, the number of whole replicas, slices of even sizes, and the copies after the loss of a node. This package
 * reads and sends no byte.
 */
@NullMarked
package io.packing.placement;

import org.jspecify.annotations.NullMarked;
