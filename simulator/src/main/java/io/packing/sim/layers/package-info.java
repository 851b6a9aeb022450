// SPDX-License-Identifier: Apache-2.0
/**
 * The layered stack (Harter's thesis, chapter 3, §3.2.2): calls of HDFS clients become local I/O on DataNodes, which
 * goes down through a balancer, caches, schedulers and disks.
 */
@NullMarked
package io.packing.sim.layers;

import org.jspecify.annotations.NullMarked;
