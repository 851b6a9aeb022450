/** Replacement policies over blocks of one size, for cache-only runs and as tiers. */
@NullMarked
package io.packing.sim.cache;

import org.jspecify.annotations.NullMarked;
