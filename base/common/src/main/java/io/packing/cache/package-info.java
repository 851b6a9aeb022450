// SPDX-License-Identifier: Apache-2.0
/**
 * Replacement policies over blocks of one size and over objects of any size, and the memory of requests that
 * prefetching needs.
 *
 * <p>Each policy has one body, {@link io.packing.cache.PolicyCache}, for both: a block is an object of size 1. W-TinyLFU,
 * LIRS, LeCaR and LHD have only blocks. Two parts of the product use this package: the registry's cache of layers is ARC by bytes, and its
 * prefetch looks requests up in a {@link io.packing.cache.RequestHistory}. All other policies are here for the simulator,
 * which compares them. Workers, masters and clients keep their pages, entries and rights in caches of Caffeine, whose
 * policy is W-TinyLFU; the pages on a worker's disk leave with their segment, first in, first out.
 */
@NullMarked
package io.packing.cache;

import org.jspecify.annotations.NullMarked;
