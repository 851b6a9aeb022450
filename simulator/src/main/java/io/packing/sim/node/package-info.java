// SPDX-License-Identifier: Apache-2.0
/** A node of the cluster: DataNode balancer, local file systems and their caches, disks, and all their counters. */
@NullMarked
package io.packing.sim.node;

import org.jspecify.annotations.NullMarked;
