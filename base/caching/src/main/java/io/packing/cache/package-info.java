/**
 * Replacement policies over blocks of one size and over objects of any size, and the memory of requests that
 * prefetching needs.
 */
@NullMarked
package io.packing.cache;

import org.jspecify.annotations.NullMarked;
