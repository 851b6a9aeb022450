/** The seed of a run of tests. */
@NullMarked
package io.packing.seed;

import org.jspecify.annotations.NullMarked;
