// SPDX-License-Identifier: Apache-2.0
/**
 * Requests to a registry of container images through a cache of layers, with and without prefetching (DupHunter, §6.5).
 */
@NullMarked
package io.packing.sim.registry;

import org.jspecify.annotations.NullMarked;
