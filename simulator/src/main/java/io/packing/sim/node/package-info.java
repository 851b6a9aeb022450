/** A node of the cluster: DataNode balancer, local file systems and their caches, disks; and what is counted there. */
@NullMarked
package io.packing.sim.node;

import org.jspecify.annotations.NullMarked;
