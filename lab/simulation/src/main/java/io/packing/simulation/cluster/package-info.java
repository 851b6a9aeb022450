// SPDX-License-Identifier: Apache-2.0
/**
 * A whole cluster in one simulation: a master, workers, clients, their network, disks and object store, faults, and a model of acknowledged changes. A {@link io.packing.simulation.relink.RelinkingLoader} loads it together with production.
 */
@NullMarked
package io.packing.simulation.cluster;

import org.jspecify.annotations.NullMarked;
