/**
 * Where the nodes of a registry keep whole layers and the files of split ones (DupHunter, §4.2): a ring of nodes, how many replicas
 * stay whole, slices of even sizes, and what is copied when a node is lost. Nothing here reads or sends a byte.
 */
@NullMarked
package io.packing.placement;

import org.jspecify.annotations.NullMarked;
